"""Materials: how surfaces look, and the textures on them."""

from __future__ import annotations

from tumble.physics.compiler.draft import Draft, fill
from tumble.physics.mjcf.layers import BOTH, has_both
from tumble.physics.state.enums import mjtTextureRole
from tumble.physics.state.model import Model


def fill_materials(draft: Draft, m: Model) -> None:
    """Write the materials of a model."""
    elements = draft.materials
    fill(m, "mat_", elements, ("texuniform", "texrepeat", "emission", "specular", "shininess", "reflectance", "metallic",
                               "roughness", "rgba"))  # fmt: skip
    m.mat_texid = -1
    for i, element in enumerate(elements):
        if not element.get("name"):
            raise element.error("needs a name, by which geoms refer to it")
        if has_both(element):
            raise element.error(BOTH)
        if element.get("texture"):
            m.mat_texid[i, mjtTextureRole.mjTEXROLE_RGB] = draft.id(element, "texture", "texture")
        for layer in element.all("layer"):
            m.mat_texid[i, mjtTextureRole[f"mjTEXROLE_{layer.get('role').upper()}"]] = draft.id(layer, "texture", "texture")

"""Materials: how surfaces look, and the textures on them."""

from __future__ import annotations

from physics.compiler.draft import Draft, fill
from physics.state.enums import mjtTextureRole
from physics.state.model import Model


def fill_materials(draft: Draft, m: Model) -> None:
    """Write the materials of a model."""
    elements = draft.materials
    fill(m, "mat_", elements, ("texuniform", "texrepeat", "emission", "specular", "shininess", "reflectance", "metallic",
                               "roughness", "rgba"))  # fmt: skip
    m.mat_texid = -1
    for i, element in enumerate(elements):
        if not element.get("name"):
            raise element.error("needs a name, by which geoms refer to it")
        layers = list(element.all("layer"))
        if element.get("texture"):
            if layers and element.attributes["texture"] and "texture" in element.given:
                raise element.error("has both a texture and layers: give its textures in one way only")
            m.mat_texid[i, mjtTextureRole.mjTEXROLE_RGB] = draft.id(element, "texture", "texture")
        for layer in layers:
            m.mat_texid[i, mjtTextureRole[f"mjTEXROLE_{layer.get('role').upper()}"]] = draft.id(layer, "texture", "texture")

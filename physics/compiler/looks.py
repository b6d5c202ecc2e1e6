"""Opening a model without what concerns its looks alone: textures, materials and skins that are missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.fill import fill, lay_out
from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import notes
from tumble.physics.mjcf.defaults import BOTH, has_both
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.faults import gathered
from tumble.physics.mjcf.references import references, walk
from tumble.physics.mjcf.spec import LOOKS, Element, each_of
from tumble.physics.state.enums import mjtTextureRole
from tumble.physics.state.model import Model

T = TypeVar("T")


def without(read: Callable[[], Document], make: Callable[[Document], T]) -> T:
    """The result of `make` for a document without those visual parts that raise errors; each is noted.

    read: reads the document afresh, for making changes it. Raises MjcfError for what is wrong with anything else.
    """
    left_out: frozenset[str] = frozenset()
    while True:
        try:
            with gathered():
                document = read()
                document.without = left_out
                return make(document)
        except MjcfError as error:
            new = frozenset(error.looks) - left_out
            if not new:  # every round leaves more out, so they end
                raise
            for one in each_of(error):
                notes.add(f"{one}; it is left out")
            left_out |= new


def leave_out(root: Element, places: frozenset[str]) -> None:
    """Remove the textures, materials and skins at these places, and what refers to them."""
    if not places:
        return
    gone: dict[str, set[str]] = {}
    for element, rule in walk(root):
        if element.tag in LOOKS and str(element.where) in places:
            gone.setdefault(rule.names, set()).add(element.attributes.get("name", ""))
    for element, rule in walk(root):
        element.children = [child for child in element.children if not (child.tag in LOOKS and str(child.where) in places)]
        for attribute, kind, name in list(references(element, rule)):
            if name in gone.get(kind, ()):
                del element.attributes[attribute.name]
        element.children = [child for child in element.children if child.tag != "layer" or "texture" in child.attributes]


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


def fill_skins(draft: Draft, m: Model) -> None:
    """Write the skins of a model. Raises MjcfError if a bone follows no body that there is."""
    skins = draft.assets.skins
    fill(m, "skin_", [skin.element for skin in skins], ("group", "rgba", "inflate"))
    m.skin_matid = [draft.id(skin.element, "material", "material") for skin in skins]
    for name, empty in (("vert", None), ("texcoord", -1), ("face", None)):
        parts = [getattr(skin, name) for skin in skins]
        number = "" if name == "texcoord" else f"skin_{name}num"
        lay_out(m, list(map(len, parts)), f"skin_{name}adr", number, empty, **{f"skin_{name}": parts})
    lay_out(m, [len(skin.bones) for skin in skins], "skin_boneadr", "skin_bonenum")
    bones = [bone for skin in skins for bone in skin.bones]
    for i, bone in enumerate(bones):
        m.skin_bonebodyid[i] = draft.named(bone.element, "body", "body", bone.body)
        m.skin_bonebindpos[i], m.skin_bonebindquat[i] = bone.pos, bone.quat
    lay_out(m, [bone.vertid.size for bone in bones], "skin_bonevertadr", "skin_bonevertnum",
            skin_bonevertid=[bone.vertid for bone in bones], skin_bonevertweight=[bone.weight for bone in bones])  # fmt: skip

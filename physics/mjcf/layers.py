"""The textures of materials: one for each role, inherited from default classes role by role.

The attribute `texture` is another way to write a layer of the role rgb. Where a material has no other layer it stays one.
"""

from __future__ import annotations

from msgspec.structs import replace

from tumble.physics.mjcf import faults
from tumble.physics.mjcf.spec import Element

COLOR = "rgb"
BOTH = "has both a texture and layers: give its textures in one way only"
Layers = dict[str, Element]


def overlaid(layers: Layers, element: Element) -> Layers:
    """Layers of a class, by role, with what one <material> says itself on top.

    Raises MjcfError for a <material> that gives its textures in both ways.
    """
    if has_both(element):
        raise element.error(BOTH)
    texture = element.attributes.get("texture", "")
    own = {COLOR: _layer(element, texture)} if texture else {}
    sound = (layer for layer in element.all("layer") if not faults.is_faulty(layer.where))
    return layers | own | {layer.attributes["role"]: layer for layer in sound if layer.attributes["texture"]}


def has_both(element: Element) -> bool:
    """True if a <material> gives its textures in both ways."""
    return bool(element.attributes.get("texture")) and any(element.all("layer"))


def inherit(element: Element, layers: Layers) -> None:
    """Give a <material> the layers of its class that it does not replace.

    One that has both stays as it is: the compiler refuses it, and may continue without it.
    """
    if has_both(element):
        return
    found = overlaid(layers, element)
    if found.keys() <= {COLOR} and not any(element.all("layer")):
        if found:
            element.attributes["texture"] = found[COLOR].attributes["texture"]
        return
    element.attributes.pop("texture", None)
    element.children = [replace(layer, attributes=dict(layer.attributes)) for layer in found.values()]


def _layer(element: Element, texture: str) -> Element:
    return Element("layer", element.where, {"role": COLOR, "texture": texture}, settings=element.settings)

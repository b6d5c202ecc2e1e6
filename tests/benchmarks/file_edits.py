"""Edits of the element tree of a model file: small functions from which the faults of `planted_faults.py` are put together."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as XML
from xml.etree.ElementTree import Element

import numpy as np

Edit = Callable[[Element], None]


def element(root: Element, tag: str, name: str) -> Element:
    """The element of a tag and name; the first of the tag without a name. Raises LookupError without one."""
    found = next((one for one in root.iter(tag) if not name or one.get("name") == name), None)
    if found is None:
        raise LookupError(f"no <{tag}> {name}")
    return found


def section(root: Element, tag: str) -> Element:
    """The section of a tag, a new one if missing."""
    found = root.find(tag)
    return XML.SubElement(root, tag) if found is None else found


def both(*edits: Edit) -> Edit:
    """Edits one after the other."""

    def make(root: Element) -> None:
        for edit in edits:
            edit(root)

    return make


def add(tag: str, *texts: str) -> Edit:
    """New elements in a section."""
    return lambda root: section(root, tag).extend(XML.fromstring(text) for text in texts)


def add_to(tag: str, name: str, text: str) -> Edit:
    """A new element in another one."""
    return lambda root: element(root, tag, name).append(XML.fromstring(text))


def with_attributes(tag: str, name: str, **values: str) -> Edit:
    """Attributes of an element; the empty text takes one away."""
    return lambda root: _set(element(root, tag, name), values)


def everywhere(tag: str, **values: str) -> Edit:
    """Attributes of all elements of a tag."""

    def make(root: Element) -> None:
        for one in root.iter(tag):
            _set(one, values)

    return make


def option(**values: str) -> Edit:
    """Attributes of <option>."""
    return lambda root: _set(section(root, "option"), values)


def flag(**values: str) -> Edit:
    """Attributes of <flag>."""
    return lambda root: _set(section(section(root, "option"), "flag"), values)


def scaled_inertial(body: str, times: float, mass: float = 1.0) -> Edit:
    """The inertia of a body times a number, and its mass times another."""

    def make(root: Element) -> None:
        inertial = section(element(root, "body", body), "inertial")
        for name, factor in (("diaginertia", times), ("fullinertia", times), ("mass", mass)):
            if name in inertial.attrib:
                inertial.set(name, " ".join(f"{factor * float(number):.8g}" for number in inertial.get(name, "").split()))

    return make


def moved_inertial(body: str, pos: str) -> Edit:
    """Another centre of mass of a body."""
    return lambda root: _set(section(element(root, "body", body), "inertial"), {"pos": pos})


def geoms_of(body: str, **values: str) -> Edit:
    """Attributes of the geoms of a body."""

    def make(root: Element) -> None:
        for geom in element(root, "body", body).findall("geom"):
            _set(geom, values)

    return make


def lowered(body: str, distance: float) -> Edit:
    """A body that begins lower by a distance [m]."""

    def make(root: Element) -> None:
        own = element(root, "body", body)
        x, y, z = (float(number) for number in own.get("pos", "0 0 0").split())
        own.set("pos", f"{x} {y} {z - distance}")

    return make


def inside_out(file: str) -> Edit:
    """A mesh whose triangles face the other way: those of its STL, written into the model file."""

    def make(root: Element) -> None:
        mesh = next(one for one in root.iter("mesh") if one.get("file", "").endswith(file))
        source = Path(section(root, "compiler").get("meshdir", ""), mesh.get("file", ""))
        # 80 bytes, the number of triangles, and for each 50 bytes: a normal, three corners, two bytes.
        triangles = np.frombuffer(source.read_bytes()[84:], np.dtype([("numbers", "<f4", (4, 3)), ("rest", "<u2")]))
        corners, which = np.unique(triangles["numbers"][:, 1:].reshape(-1, 3), axis=0, return_inverse=True)
        vertex, face = (" ".join(map(str, numbers.ravel().tolist())) for numbers in (corners, which.reshape(-1, 3)[:, ::-1]))
        _set(mesh, {"name": mesh.get("name", source.stem), "file": "", "vertex": vertex, "face": face})

    return make


def _set(one: Element, values: dict[str, str]) -> None:
    for name, value in values.items():
        if value:
            one.set(name, value)
        else:
            one.attrib.pop(name, None)


def at_home_anywhere(root: Element, folder: Path) -> None:
    """Let a model that lay in a folder find its files from any other; a URDF goes without shapes, whose files packages name."""
    for include in root.iter("include"):
        include.set("file", str(folder / include.get("file", "")))
    if root.tag == "robot":
        for link in root.iter("link"):
            for shape in (*link.findall("visual"), *link.findall("collision")):
                link.remove(shape)
        return
    compiler = section(root, "compiler")
    assets = compiler.attrib.pop("assetdir", "")
    for name in ("meshdir", "texturedir"):
        compiler.set(name, str(folder / compiler.get(name, assets)))

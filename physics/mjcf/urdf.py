"""URDF: a <robot> as the elements of MJCF, so that one compiler does the rest.

As the reference does: bodies are links, in the order of the joints that hang them; a link without a parent stands on the
world, and a link named "world" is the world; what only shows is left out and what does not move is fused, unless
<mujoco><compiler/></mujoco> inside of <robot> says otherwise. What URDF has beyond that (textures, contact coefficients) and
what is not URDF at all is passed over, for such files hold the settings of many programs.

Better than the reference: a mesh that is not beside the file is also looked for where its path says, `package://` too
(physics/mjcf/document.py), each size of a mesh is an asset of its own, joints follow those that they mimic, and transmissions
are motors (physics/mjcf/urdf_drives.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct

from tumble.physics.mjcf import notes
from tumble.physics.mjcf.document import Document, find_mesh
from tumble.physics.mjcf.schema import MUJOCO, ElementRule, rule
from tumble.physics.mjcf.source import MAX_DEPTH, Node
from tumble.physics.mjcf.spec import Element
from tumble.physics.mjcf.suggest import MODEL_NAMES, meant
from tumble.physics.mjcf.urdf_drives import CONTROL, MIMIC, TRANSMISSION, drives
from tumble.physics.mjcf.values import ValueProblem, convert

_ORIGIN = "origin", "?", "xyz,rpy  real 3 = 0 0 0"
_MATERIAL = "material", "*", "name  name"


def _material() -> ElementRule:
    return rule(*_MATERIAL, [rule("color", "?", "rgba  real 4 !")])


def _shape(tag: str) -> ElementRule:
    return rule(tag, "*", "name  name", [
        rule(*_ORIGIN),
        rule("geometry", "!", "", [
            rule("box", "?", "size  real 3 !"),
            rule("cylinder", "?", "radius,length  real !"),
            rule("sphere", "?", "radius  real !"),
            rule("capsule", "?", "radius,length  real !"),
            rule("mesh", "?", "filename  file !\nscale  real 3 = 1 1 1"),
        ]),
        *([_material()] if tag == "visual" else []),
    ])  # fmt: skip


ROBOT = rule("robot", "!", "name  string", [
    _material(),
    rule("link", "*", "name  name !", [
        rule("inertial", "?", "", [
            rule(*_ORIGIN),
            rule("mass", "!", "value  real !"),
            rule("inertia", "!", "ixx,ixy,ixz,iyy,iyz,izz  real !"),
        ]),
        _shape("visual"),
        _shape("collision"),
    ]),
    rule("joint", "*", "name  name !\ntype  keys revolute|continuous|prismatic|fixed|floating|planar|spherical !", [
        rule(*_ORIGIN),
        rule("parent", "!", "link  ref link !"),
        rule("child", "!", "link  ref link !"),
        rule("axis", "?", "xyz  real 3 !"),
        rule("limit", "?", "lower,upper,effort  real"),
        rule("dynamics", "?", "damping,friction  real"),
    ]),
])  # fmt: skip

# What <mujoco> inside of <robot> may hold, as MJCF has it.
_SETTINGS = {tag: MUJOCO.children[tag] for tag in ("compiler", "option", "size")}
WORLD = "world"
_TYPES = {"revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "floating": "free", "spherical": "ball"}
_DEFAULTS = {"fusestatic": True, "discardvisual": True, "strippath": True}
_MOMENTS = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")

Build = Callable[[Node, ElementRule], Element]


def read_robot(root: Node, document: Document, build: Build) -> Element:
    """The <mujoco> element that a <robot> describes. build: makes the elements inside of its <mujoco>, which are MJCF.

    Raises MjcfError, at file:line:column, for what is missing, cannot be read as what it should be, or is no tree.
    """
    return _Robot(root, document, build).mujoco()


class PassedOver(Struct, frozen=True):
    """A part of a <robot> that its elements do not take: the part, and the elements around it, the innermost last."""

    node: Node
    around: tuple[Node, ...]


def passed_over(root: Node) -> list[PassedOver]:
    """Parts that reading a <robot> passes over, in document order; of what is in such a part, only the whole."""
    found: list[PassedOver] = []
    pending: list[tuple[Node, ElementRule, tuple[Node, ...]]] = [(root, ROBOT, (root,))]
    while pending:
        node, of, around = pending.pop()
        inside: list[tuple[Node, ElementRule, tuple[Node, ...]]] = []
        for child in node.children:
            if child.tag in of.children:
                inside.append((child, of.children[child.tag], (*around, child)))
            elif not (node is root and child.tag == "mujoco") and child.tag not in (MIMIC, TRANSMISSION, CONTROL):
                found.append(PassedOver(child, around))
        pending += reversed(inside)
    return sorted(found, key=lambda one: one.node.where.offset)


def _read(node: Node, of: ElementRule) -> Element:
    """A node of URDF with its values; what its rule does not have is passed over."""
    element = Element(node.tag, node.where, schema_defaults=of.schema_defaults)
    for attribute in of.attributes.values():
        text = node.attributes.get(attribute.name)
        try:
            value = None if text is None else convert(attribute, text)
        except ValueProblem as problem:
            raise node.error(str(problem)) from None
        if value is not None:
            element.attributes[attribute.name] = value
        elif attribute.required:
            raise node.error(f"needs the attribute {attribute.name}: {attribute.describe()}")
    for child in node.children:
        below = of.children.get(child.tag)
        if below is None:
            continue
        if below.occurs != "*" and any(element.all(child.tag)):
            raise child.error(f"is a second one in <{node.tag}>, after {next(element.all(child.tag)).where}; valid: at most one")
        element.children.append(_read(child, below))
    for tag, below in of.children.items():
        if below.occurs == "!" and not any(element.all(tag)):
            raise node.error(f"needs a <{tag}>")
    return element


def _made(tag: str, source: Element, **values: Any) -> Element:
    """An element of MJCF in the place of one of URDF."""
    return Element(tag, source.where, {name: value for name, value in values.items() if value is not None}, frozenset(values))


def _numbers(*values: float) -> np.ndarray:
    array = np.array(values, np.float64)
    array.setflags(write=False)
    return array


def _quat(rpy: np.ndarray) -> np.ndarray:
    """The rotation of roll, pitch and yaw [rad] about axes that stay, (4,)."""
    (a, b, c), (s, t, u) = np.cos(rpy / 2), np.sin(rpy / 2)
    return _numbers(a * b * c + s * t * u, s * b * c - a * t * u, a * t * c + s * b * u, a * b * u - s * t * c)


def _pose(element: Element) -> dict[str, np.ndarray]:
    """Place and orientation that an element's <origin> gives."""
    origin = next(element.all("origin"), None)
    return {} if origin is None else {"pos": origin.get("xyz"), "quat": _quat(origin.get("rpy"))}


class _Robot:
    """One robot on its way: links by name, colours of materials, meshes by file and scale, names that geoms have."""

    def __init__(self, root: Node, document: Document, build: Build) -> None:
        self._robot, self._drives = _read(root, ROBOT), drives(root)
        self._document = document
        self._settings = _settings(root, build)
        compiler = self._settings.setdefault("compiler", Element("compiler", root.where))
        self._asked = {name: bool(compiler.attributes.get(name, value)) for name, value in _DEFAULTS.items()}
        # Quaternions and radians are what this file writes, and files are found here.
        compiler.attributes |= {"angle": "radian", "fusestatic": self._asked["fusestatic"], "strippath": False}
        compiler.given = frozenset(compiler.attributes)
        self._meshdir = str(compiler.attributes.get("meshdir", compiler.attributes.get("assetdir", "")))
        self._colors: dict[str, np.ndarray] = {}
        self._meshes: dict[tuple[str, tuple[float, ...]], Element] = {}
        self._geoms: set[str] = set()

    def mujoco(self) -> Element:
        """The model."""
        made = _made("mujoco", self._robot, model=self._robot.attributes.get("name"))
        self._collect_colors()
        world = self._tree()
        assets = _made("asset", self._robot)
        assets.children += self._meshes.values()
        made.children += [*self._settings.values(), *([assets] if self._meshes else []), world, *self._drives]
        return made

    def _tree(self) -> Element:
        """The world with all links in it."""
        links: dict[str, Element] = {}
        for link in self._robot.all("link"):
            name = link.attributes["name"]
            if name in links:
                raise link.error(f'name "{name}" is already the name of the link at {links[name].where}')
            links[name] = link
        above, below = self._hung(links)
        world = _made("worldbody", self._robot)
        roots = [name for name in links if name not in above]
        pending = [(name, world, 1) for name in reversed(roots)]
        bodies: dict[str, Element] = {}
        while pending:
            name, parent, depth = pending.pop()
            if depth > MAX_DEPTH:
                raise links[name].error(f"hangs too deeply; at most {MAX_DEPTH} links hang on one another")
            body = world if name == WORLD else _made("body", links[name], name=name, **_pose(above.get(name, links[name])))
            if body is not world:
                parent.children.append(body)
            bodies[name] = body
            pending += [(child, body, depth + 1) for child in reversed(below.get(name, ()))]
        for name, link in links.items():  # as written: so meshes are numbered, and materials known to those after them
            if name not in bodies:
                raise above[name].error(f'hangs the link "{name}" on none that stands on the world: they hang in a circle')
            bodies[name].children[:0] = self._held(link, above.get(name))
        return world

    def _hung(self, links: dict[str, Element]) -> tuple[dict[str, Element], dict[str, list[str]]]:
        """Of each link the joint that hangs it, and the links that hang on it."""
        above: dict[str, Element] = {}
        below: dict[str, list[str]] = {}
        for joint in self._robot.all("joint"):
            parent, child = (next(joint.all(tag)).attributes["link"] for tag in ("parent", "child"))
            for tag, name in (("parent", parent), ("child", child)):
                if name not in links:
                    raise next(joint.all(tag)).error(f'link "{name}" is not a link; {meant(name, links, MODEL_NAMES)}')
            if child == WORLD:
                if joint.attributes["type"] != "fixed":
                    raise joint.error('moves the link "world", which is the world itself; give that link another name')
                joint.warn(f'hangs the world on "{parent}": it is left out, the world stays where it is')
                continue
            if child in above:
                raise joint.error(f'hangs the link "{child}", which the joint at {above[child].where} hangs already')
            above[child] = joint
            below.setdefault(parent, []).append(child)
        return above, below

    def _held(self, link: Element, joint: Element | None) -> list[Element]:
        """Children of a link's body, with its joints."""
        held: list[Element] = []
        for inertial in link.all("inertial"):
            if link.attributes["name"] == WORLD:
                inertial.warn("is that of the world, which has no mass: it is left out")
            else:
                held.append(_inertial(inertial))
        color = None
        for shape in link.all("visual", "collision"):
            if shape.tag == "visual":
                material = next(shape.all("material"), None)
                color = color if material is None else self._color(material, color)
                if self._asked["discardvisual"]:
                    continue
            held.append(self._geom(shape, color))
        return held if joint is None else [*held, *_joints(joint)]

    def _collect_colors(self) -> None:
        """The colours of names, wherever they are given; the first counts, for all that give none."""
        for element in self._robot.all("material", "link"):
            inside = [material for visual in element.all("visual") for material in visual.all("material")]
            for material in [element] if element.tag == "material" else inside:
                for color in material.all("color"):
                    self._colors.setdefault(material.attributes.get("name", ""), color.attributes["rgba"])

    def _color(self, material: Element, otherwise: np.ndarray | None) -> np.ndarray | None:
        """The colour of a material: its own, or that of its name."""
        for color in material.all("color"):
            return color.attributes["rgba"]
        if "name" not in material.attributes:
            raise material.error("needs a name, or a <color>")
        return self._colors.get(material.attributes["name"], otherwise)

    def _geom(self, shape: Element, color: np.ndarray | None) -> Element:
        """The geom of a <visual> or <collision>."""
        name = shape.attributes.get("name", "")
        if name in self._geoms:
            shape.warn(f'name "{name}" is already that of another: the geom has no name')
        geom = _made("geom", shape, **({"name": name} if name and name not in self._geoms else {}), **_pose(shape))
        self._geoms |= {name} - {""}
        geom.attributes |= self._form(next(shape.all("geometry")))
        if shape.tag == "visual":
            geom.attributes |= {"contype": 0, "conaffinity": 0, "group": 1, "density": 0.0}
        if color is not None:
            geom.attributes["rgba"] = color
        geom.given = frozenset(geom.attributes)
        return geom

    def _form(self, geometry: Element) -> dict[str, Any]:
        """Geom attributes of a <geometry>; of several shapes, the first in the order of the schema counts."""
        found = {child.tag: child for child in geometry.children}
        first = next((tag for tag in ("box", "cylinder", "sphere", "capsule", "mesh") if tag in found), None)
        if first is None:
            raise geometry.error("has no shape; valid: <box>, <cylinder>, <sphere>, <capsule>, <mesh>")
        shape = found[first]
        match first:
            case "box":
                return {"type": first, "size": _numbers(*(shape.attributes["size"] / 2))}
            case "sphere":
                return {"type": first, "size": _numbers(shape.attributes["radius"])}
            case "mesh":
                return {"type": first, "mesh": self._mesh(shape).attributes["name"]}
            case _:
                return {"type": first, "size": _numbers(shape.attributes["radius"], shape.attributes["length"] / 2)}

    def _mesh(self, shape: Element) -> Element:
        """The asset of a mesh, one for each file and scale; named by its file."""
        written = shape.attributes["filename"]
        file = find_mesh(self._document, written, self._meshdir, self._asked["strippath"])
        if not file:
            raise shape.error(f'filename "{written}" names no file')
        scale = shape.get("scale")
        key = (file, tuple(scale.tolist()))
        if key not in self._meshes:
            stem = os.path.splitext(os.path.basename(file))[0]
            taken = {mesh.attributes["name"] for mesh in self._meshes.values()}
            number = sum(mesh.attributes["file"] == file for mesh in self._meshes.values())
            names = [stem, *(f"{stem}{k}" for k in range(1, len(taken) + 2))]
            name = next(name for name in names[bool(number) :] if name not in taken)
            values = {} if (scale == 1).all() else {"scale": scale}
            self._meshes[key] = _made("mesh", shape, name=name, file=file, **values)
        return self._meshes[key]


def _settings(root: Node, build: Build) -> dict[str, Element]:
    """Children of <mujoco> in <robot>, by tag. The reference does not check names there: a wrong one is noted."""
    extensions = [child for child in root.children if child.tag == "mujoco"]
    if len(extensions) > 1:
        raise extensions[1].error(f"is a second one in <robot>, after {extensions[0].where}; valid: at most one")
    found: dict[str, Element] = {}
    for child in (child for extension in extensions for child in extension.children):
        if child.tag not in _SETTINGS:
            _note(child, f"is not read inside of <robot>: it is left out; {meant(child.tag, _SETTINGS)}")
            continue
        if child.tag in found:
            raise child.error(f"is a second one in <mujoco>, after {found[child.tag].where}; valid: at most one")
        known = _SETTINGS[child.tag]
        for name in child.attributes.keys() - known.attributes.keys():
            _note(child, f'has no attribute "{name}": it is left out; {meant(name, known.attributes)}')
        kept = {name: text for name, text in child.attributes.items() if name in known.attributes}
        found[child.tag] = build(Node(child.tag, child.where, kept, child.children), known)
    return found


def _note(node: Node, what: str) -> None:
    notes.add(f"{node.where}: <{node.tag}> {what}")


def _inertial(inertial: Element) -> Element:
    """The <inertial> of a body. Its axes are those of the link: as the reference, it does not turn them by the origin's rpy."""
    origin = next(inertial.all("origin"), None)
    if origin is not None and origin.get("rpy").any():
        origin.warn("turns the inertia by rpy, which is left out, as by the reference: write the inertia along the link's axes")
    inertia = next(inertial.all("inertia"))
    moments = _numbers(*(inertia.attributes[name] for name in _MOMENTS))
    # All zeros is how URDF says that there is none, where MJCF refuses it.
    form = {"fullinertia": moments} if moments.any() else {"diaginertia": _numbers(0, 0, 0)}
    pos = _numbers(0, 0, 0) if origin is None else origin.get("xyz")
    return _made("inertial", inertial, pos=pos, mass=next(inertial.all("mass")).attributes["value"], **form)


def _joints(joint: Element) -> list[Element]:
    """The joints of MJCF that move a link as a joint of URDF does: one, none if it is fixed, three in a plane."""
    name, kind = joint.attributes["name"], joint.attributes["type"]
    if kind == "fixed":
        return []
    axis = next(joint.all("axis"), None)
    along = _numbers(1, 0, 0) if axis is None else axis.attributes["xyz"]
    dynamics = next(joint.all("dynamics"), Element("dynamics", joint.where)).attributes
    moved = {to: dynamics[name] for name, to in (("damping", "damping"), ("friction", "frictionloss")) if name in dynamics}
    if kind != "planar":
        turned = {} if kind in ("floating", "spherical") else {"axis": along}
        return [_made("joint", joint, name=name, type=_TYPES[kind], **turned, **_limits(joint), **moved)]
    if not along.any():
        raise (axis or joint).error("needs a direction, is all zeros")
    x, y = _across(along)
    return [
        _made("joint", joint, name=f"{name}_TX", type="slide", axis=x, **_limits(joint), **moved),
        _made("joint", joint, name=f"{name}_TY", type="slide", axis=y, **moved),
        _made("joint", joint, name=f"{name}_RZ", type="hinge", axis=along, **moved),
    ]


def _limits(joint: Element) -> dict[str, Any]:
    """Range and largest force of a joint; with only one end, it is a range that does not hold."""
    limit = next(joint.all("limit"), Element("limit", joint.where)).attributes
    found: dict[str, Any] = {}
    if limit.keys() & {"lower", "upper"}:
        found["range"] = _numbers(limit.get("lower", 0.0), limit.get("upper", 0.0))
        if not {"lower", "upper"} <= limit.keys():
            found["limited"] = "false"
    if effort := abs(limit.get("effort", 0.0)):
        found["actuatorfrcrange"] = _numbers(-effort, effort)
    return found


def _across(axis: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The x and y axes after the shortest turn that brings the z axis along an axis."""
    x, y, z = axis / np.linalg.norm(axis)
    if z <= -1:
        return _numbers(1, 0, 0), _numbers(0, -1, 0)
    share = 1 / (1 + z)
    return _numbers(1 - x * x * share, -x * y * share, -x), _numbers(-x * y * share, 1 - y * y * share, -y)

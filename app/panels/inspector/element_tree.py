"""The elements of a model as a tree: bodies with their contents, and a branch for each other kind; with search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import TYPE_CHECKING, SupportsInt

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.physics.collision.sdf.bind import function_name
from tumble.physics.state.named import KINDS as NAMED
from tumble.physics.state.named import names_of

if TYPE_CHECKING:
    from tumble.physics import MjModel

_OBJ = physics.mjtObj


class ElementKind(Struct, frozen=True, eq=False):
    """A kind of element. prefix: of its fields; title, plural: text for the user; letter: its mark.

    count: name of the size field, "" for a group of options; obj: mjtObj, None likewise.
    """

    prefix: str
    title: str
    plural: str
    letter: str
    count: str = ""
    obj: physics.mjtObj | None = None


def _kind(obj: str, title: str, plural: str, letter: str) -> ElementKind:
    named = NAMED[physics.mjtObj[f"mjOBJ_{obj}"]]
    return ElementKind(named.prefix, title, plural, letter, named.count, named.obj)


BODY = _kind("BODY", "Body", "Bodies", "B")
OF_BODY = (
    _kind("JOINT", "Joint", "Joints", "J"), _kind("GEOM", "Geom", "Geoms", "G"), _kind("SITE", "Site", "Sites", "S"),
    _kind("CAMERA", "Camera", "Cameras", "C"), _kind("LIGHT", "Light", "Lights", "L"),
)  # fmt: skip
BRANCHES = (
    _kind("ACTUATOR", "Actuator", "Actuators", "A"), _kind("SENSOR", "Sensor", "Sensors", "S"),
    _kind("TENDON", "Tendon", "Tendons", "T"), _kind("EQUALITY", "Equality", "Equality constraints", "E"),
    _kind("PAIR", "Contact pair", "Contact pairs", "P"), _kind("EXCLUDE", "Exclude", "Excluded pairs", "X"),
    _kind("KEY", "Keyframe", "Keyframes", "K"), _kind("MATERIAL", "Material", "Materials", "M"),
    _kind("TEXTURE", "Texture", "Textures", "T"), _kind("MESH", "Mesh", "Meshes", "M"),
    _kind("HFIELD", "Height field", "Height fields", "H"), _kind("NUMERIC", "Custom number", "Custom numbers", "N"),
    _kind("TEXT", "Custom text", "Custom texts", "N"), _kind("TUPLE", "Custom tuple", "Custom tuples", "N"),
)  # fmt: skip
GROUPS = (
    ElementKind("opt", "Options", "Options", "O"), ElementKind("tumble", "Options of Tumble", "Options of Tumble", "O"),
    ElementKind("stat", "Statistics", "Statistics", "O"),
)  # fmt: skip
VISUAL = ElementKind("vis", "Visual settings", "Visual settings", "V")
OF_VISUAL = tuple(
    ElementKind(f"vis_{part}", "Visual settings", part.capitalize(), "V")
    for part in ("global", "quality", "headlight", "map", "scale", "rgba")
)
KINDS = {kind.prefix: kind for kind in (BODY, *OF_BODY, *BRANCHES, *GROUPS, *OF_VISUAL)}


class TreeNode:
    """An element, or the head of a branch (index -1 and children). shown: the children that a search leaves; row: among them."""

    __slots__ = ("children", "index", "kind", "name", "number", "parent", "row", "shown")

    def __init__(self, kind: ElementKind, index: int, name: str, parent: TreeNode | None) -> None:
        self.kind, self.index, self.name, self.parent = kind, index, name, parent
        self.children: list[TreeNode] = []
        self.shown = self.children
        self.row = 0
        self.number = -1

    @property
    def is_element(self) -> bool:
        """True for an element or a group of options, False for a branch."""
        return self.index >= 0 or not self.children


class ModelTree:
    """The nodes of one model, `nodes` by their number; `roots` are those on top."""

    def __init__(self, model: MjModel | None) -> None:
        """model: None for no nodes."""
        self.model = model
        self.nodes: list[TreeNode] = []
        self._at: dict[tuple[str, int], TreeNode] = {}
        self._about: list[str] = []
        self._root = TreeNode(BODY, -1, "", None)
        if model is not None:
            self._add_all(model)
        for node in (self._root, *self.nodes):
            _number(node.children)

    @property
    def hidden(self) -> int:
        """Number of elements that the filter hides."""
        shown, waiting = 0, list(self.roots)
        while waiting:
            node = waiting.pop()
            shown += node.is_element
            waiting += node.shown
        return sum(node.is_element for node in self.nodes) - shown

    @property
    def roots(self) -> list[TreeNode]:
        """The nodes on top that are shown."""
        return self._root.shown

    def find(self, prefix: str, index: int) -> TreeNode | None:
        """The node of an element."""
        return self._at.get((prefix, index))

    def like(self, other: TreeNode) -> TreeNode | None:
        """The element that has the kind and the name of one of another model."""
        return next((n for n in self.nodes if n.kind is other.kind and n.name == other.name and n.is_element), None)

    def detail(self, node: TreeNode) -> str:
        """Remark after the name of a node."""
        return "" if self.model is None else detail(self.model, node)

    def filter(self, text: str) -> list[TreeNode]:
        """Filter by words in kind, number, name or detail, keeping ancestors; returns the matching nodes.

        No words: all is shown, and nothing counts as found.
        """
        words = text.lower().split()
        if not words:
            for node in (self._root, *self.nodes):
                self._show(node, node.children)
            return []
        if not self._about:
            self._about = [f"{n.kind.title} {n.index} {n.name} {self.detail(n)}".lower() for n in self.nodes]
        matches = [n for n in self.nodes if n.is_element and all(w in self._about[n.number] for w in words)]
        kept: set[TreeNode] = set()
        for node in matches:
            above: TreeNode | None = node
            while above is not None and above not in kept:
                kept.add(above)
                above = above.parent
        for node in (self._root, *self.nodes):
            self._show(node, [child for child in node.children if child in kept])
        return matches

    def _show(self, node: TreeNode, children: list[TreeNode]) -> None:
        node.shown = children
        _number(children)

    def _add(self, kind: ElementKind, index: int, name: str, parent: TreeNode) -> TreeNode:
        node = TreeNode(kind, index, name, parent)
        node.number = len(self.nodes)
        self.nodes.append(node)
        parent.children.append(node)
        self._at[kind.prefix, index] = node
        return node

    def _add_all(self, model: MjModel) -> None:
        self._add_bodies(model)
        for kind in BRANCHES:
            self._add_branch(model, kind)
        for kind in GROUPS:
            self._add(kind, -1, kind.title, self._root)
        head = self._add(VISUAL, -1, VISUAL.title, self._root)
        for kind in OF_VISUAL:
            self._add(kind, -1, kind.plural, head)

    def _add_bodies(self, m: MjModel) -> None:
        parents, names = np.asarray(m.body_parentid).tolist(), element_names(m, BODY)
        fixed = [(kind, element_names(m, kind), _by_body(m, kind)) for kind in OF_BODY]
        bodies: list[TreeNode] = []
        for body, parent in enumerate(parents):
            node = self._add(BODY, body, names[body], bodies[parent] if body else self._root)
            bodies.append(node)
            for kind, called, of in fixed:
                for index in of.get(body, ()):
                    self._add(kind, index, called[index], node)

    def _add_branch(self, model: MjModel, kind: ElementKind) -> None:
        count = int(getattr(model, kind.count))
        if count:
            head = self._add(kind, -1, kind.plural, self._root)
            for index, name in enumerate(element_names(model, kind)):
                self._add(kind, index, name, head)


def _number(nodes: list[TreeNode]) -> None:
    for row, node in enumerate(nodes):
        node.row = row


def element_names(model: MjModel, kind: ElementKind) -> list[str]:
    """The names of all elements of a kind; kind and number if they have none."""
    assert kind.obj is not None  # only groups of options have none
    plain = kind.obj.name.removeprefix("mjOBJ_").lower()
    return [name or f"{plain} {i}" for i, name in enumerate(names_of(model, NAMED[kind.obj]))]


def _by_body(model: MjModel, kind: ElementKind) -> dict[int, list[int]]:
    result: dict[int, list[int]] = {}
    for index, body in enumerate(np.asarray(getattr(model, f"{kind.prefix}_bodyid")).tolist()):
        result.setdefault(body, []).append(index)
    return result


def body_of(model: MjModel, kind: ElementKind, index: int) -> int:
    """The body that an element is, or is fixed to; -1 for others."""
    if kind is BODY:
        return index
    return int(getattr(model, f"{kind.prefix}_bodyid")[index]) if kind in OF_BODY else -1


# ---- detail texts


def enum_name(enum: type[IntEnum], prefix: str, value: SupportsInt) -> str:
    """A member's name without its prefix: `hinge` of mjJNT_HINGE; the number if missing."""
    return enum(int(value)).name.removeprefix(prefix).lower() if int(value) in tuple(enum) else str(int(value))


def _exclude(m: MjModel, i: int) -> str:
    signature = int(m.exclude_signature[i])
    return " and ".join(name_of(m, _OBJ.mjOBJ_BODY, b) for b in (signature >> 16, signature & 0xFFFF))


def _pair(m: MjModel, i: int) -> str:
    return " and ".join(name_of(m, _OBJ.mjOBJ_GEOM, int(g)) for g in (m.pair_geom1[i], m.pair_geom2[i]))


def _tendon(m: MjModel, i: int) -> str:
    joints = m.wrap_type[m.tendon_adr[i]] == physics.mjtWrap.mjWRAP_JOINT
    return "fixed" if joints else "spatial"


def _geom(m: MjModel, i: int) -> str:
    kind = enum_name(physics.mjtGeom, "mjGEOM_", m.geom_type[i])
    if m.geom_type[i] != physics.mjtGeom.mjGEOM_SDF:
        return kind
    return f"{kind} {function_name(m, i) or 'of a mesh'}"


_DETAILS: dict[str, Callable[[MjModel, int], str]] = {
    "body": lambda m, i: "mocap" if m.body_mocapid[i] >= 0 else "static" if m.body_weldid[i] == 0 and i else "",
    "jnt": lambda m, i: enum_name(physics.mjtJoint, "mjJNT_", m.jnt_type[i]),
    "geom": _geom,
    "site": lambda m, i: enum_name(physics.mjtGeom, "mjGEOM_", m.site_type[i]),
    "actuator": lambda m, i: enum_name(physics.mjtTrn, "mjTRN_", m.actuator_trntype[i]),
    "sensor": lambda m, i: enum_name(physics.mjtSensor, "mjSENS_", m.sensor_type[i]),
    "tendon": _tendon,
    "eq": lambda m, i: enum_name(physics.mjtEq, "mjEQ_", m.eq_type[i]),
    "pair": _pair,
    "exclude": _exclude,
    "key": lambda m, i: f"{float(m.key_time[i]):g} s",
    "tex": lambda m, i: f"{int(m.tex_width[i])} x {int(m.tex_height[i])}",
}


def detail(model: MjModel, node: TreeNode) -> str:
    """Remark next to a node's name: kind of a joint, size of a branch."""
    if node.index < 0:
        return str(len(node.children)) if node.children else ""
    return detail_of(model, node.kind, node.index)


def detail_of(model: MjModel, kind: ElementKind, index: int) -> str:
    """Remark next to an element's name."""
    say = _DETAILS.get(kind.prefix)
    return say(model, index) if say is not None else ""


def above(node: TreeNode) -> Iterator[TreeNode]:
    """Ancestors of a node, from the nearest up; without the hidden root."""
    parent = node.parent
    while parent is not None and parent.parent is not None:
        yield parent
        parent = parent.parent

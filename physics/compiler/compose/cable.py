"""<composite type="cable">: a chain of bodies along a line, made of elements that could have been written by hand.

The points are held in single precision, as in the reference, whose numbers follow from that. The first frame has its x axis
along the first piece and its z axis across the plane of the first two; every further frame is that of the piece before it
turned by the smallest rotation that brings it to the next piece, so that the chain has no twist of its own.
"""

from __future__ import annotations

import math
from itertools import pairwise, product
from typing import Any

import numpy as np
from msgspec.structs import replace

from tumble.physics.compiler import pose
from tumble.physics.compiler.compose.assembly import Assembly, too_large
from tumble.physics.compiler.pose import Quat, Vec, vec3
from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.source import MAX_ELEMENTS
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.plugins import CABLE

_ADVICE = {"particle": "<replicate>", "grid": "<flexcomp>", "rope": 'type="cable"', "loop": "<flexcomp>", "cloth": "<flexcomp>"}
_SHAPES = ("capsule", "cylinder", "box")
_GROUP = 3  # of joints and sites, hidden by default
_TINY = 1e-14


def cable(assembly: Assembly, element: Element) -> list[Element]:
    """Elements that replace a <composite>, and those for other sections of the model.

    Raises MjcfError for what no cable can be made of, and for kinds that the reference has given up.
    """
    geom, points = _check(element)
    edges = [pose.sub(b, a) for a, b in pairwise(points)]
    for k, edge in enumerate(edges):
        if pose.norm(edge) < _TINY:
            raise element.error(f"has points {k} and {k + 1} at the same place")
    assembly.take_room(6 * len(edges), element)
    start = pose.add(vec3(element.get("offset")), points[0])
    chain = _Chain(element, geom, edges, _instance(assembly, element))
    top = chain.bodies(start)
    contact = assembly.section("contact")
    contact.children += [chain.made("exclude", "contact/exclude", body1=a, body2=b)
                         for a, b in pairwise(chain.names)]  # fmt: skip
    prefix = element.get("prefix", "")
    text = chain.made("text", "custom/text", name=f"composite_{prefix}", data=f"rope_{prefix}")
    assembly.section("custom").children.append(text)
    if geom.get("type") == "box":
        assembly.section("deformable").children.append(make_skin(element, geom, chain.names))
    return [top]


def _instance(assembly: Assembly, element: Element) -> str:
    """The name of the plugin instance of all pieces, "" without one; one that has no name yet is added to <extension>."""
    plugins = list(element.all("plugin"))
    if len(plugins) > 1:
        raise plugins[1].error("is one too many: a cable has at most one plugin")
    if not plugins:
        return ""
    plugin, name, kind = plugins[0], plugins[0].get("instance") or "", plugins[0].get("plugin") or ""
    if name:
        return str(name)
    if kind != CABLE.name:
        raise plugin.error(f'plugin "{kind}" does not act on the pieces of a cable; valid: {CABLE.name}')
    name = f"composite{element.get('prefix', '')}"
    extension = assembly.section("extension")
    instance = _child_of(plugin, "extension/plugin/instance", list(plugin.all("config")), name=name)
    at = next((k for k, one in enumerate(extension.children) if one.get("plugin") == kind), len(extension.children))
    known = [] if at == len(extension.children) else extension.children[at].children
    # a new element: the document's own stay as they are
    extension.children[at:at + 1] = [_child_of(plugin, "extension/plugin", [*known, instance], plugin=kind)]
    return name


def _child_of(source: Element, path: str, children: list[Element], **values: Any) -> Element:
    """An element for what another one asks for, of a rule by its path."""
    rule = find(path)
    return Element(rule.tag, source.where, values, frozenset(values), children, rule.schema_defaults, settings=source.settings)


def _check(element: Element) -> tuple[Element, list[Vec]]:
    """The geom of the pieces and the points between them."""
    kind = element.get("type")
    if kind in _ADVICE:
        raise element.error(f'type "{kind}" is no longer valid; use {_ADVICE[kind]}')
    geom = next(element.all("geom"), None)
    if geom is None or geom.get("type") not in _SHAPES:
        raise (geom or element).error(f"needs a geom of type {', '.join(_SHAPES)} for its pieces")
    if len(list(element.all("joint"))) > 1:
        raise list(element.all("joint"))[1].error("is one too many: a cable has one kind of joint")
    return geom, _points(element)


def _points(element: Element) -> list[Vec]:
    count = [*element.get("count").tolist(), 1, 1][:3]
    written = np.asarray(element.get("vertex", ()), np.float32)
    if written.size and count != [1, 1, 1]:
        raise element.error("has both vertex and count; valid: one of them")
    if written.size % 3:
        raise element.error(f"vertex needs three numbers for each point, has {written.size}")
    if written.size:
        count = [written.size // 3, 1, 1]
    if min(count) < 1 or count[1:] != [1, 1] or count[0] < 2:
        raise element.error(f"count of a cable must be at least 2, and 1 1 behind it, is {' '.join(map(str, count))}")
    if count[0] > MAX_ELEMENTS:
        raise too_large(element)
    if written.size:
        return [vec3(point) for point in written.reshape(-1, 3).tolist()]
    return _curve(element, count[0])


def _curve(element: Element, count: int) -> list[Vec]:
    """Points along a curve, a function of s from 0 to 1 for each axis, turned by `quat`; points that are written are not."""
    length, radius, turns = (float(v) for v in element.get("size"))
    if not length:
        raise element.error("size must begin with a length, is 0")
    shapes = {
        "s": lambda s: length * s, "0": lambda s: 0.0, "cos(s)": lambda s: radius * math.cos(math.pi * turns * s),
        "sin(s)": lambda s: radius * math.sin(math.pi * turns * s),
    }  # fmt: skip
    axes = [*element.get("curve", ()), "0", "0", "0"][:3]
    turn = pose.quat_unit(element.get("quat"))
    points = [pose.rotate(turn, vec3(shapes[axis](k / (count - 1)) for axis in axes)) for k in range(count)]
    return [vec3(float(np.float32(x)) for x in point) for point in points]


class _Chain:
    """The bodies of a cable, first to last. names: theirs; instance: the plugin's, "" for none."""

    def __init__(self, element: Element, geom: Element, edges: list[Vec], instance: str) -> None:
        self._element, self._geom, self._edges, self._instance = element, geom, edges, instance
        self._site = next(element.all("site"), None)
        self._joint = next(element.all("joint"), None)
        last = len(edges) - 1
        self._ends = ["first", *map(str, range(1, last)), "last"][: last + 1]
        self.names = [f"{element.get('prefix', '')}B_{end}" for end in self._ends]

    def made(self, tag: str, path: str, given: Element | None = None, **values: Any) -> Element:
        """An element as if it were written where the cable is, with what `given`, of the cable, says."""
        rule = find(path)
        inherited = {name: value for name, value in given.attributes.items() if name in rule.attributes} if given else {}
        # What is not written as an element of its own has no place where one of its values could be written.
        where = given.where if given else replace(self._element.where, offset=-1)
        return Element(tag, where, inherited | values, frozenset(values), [], rule.schema_defaults,
                       settings=self._element.settings)  # fmt: skip

    def bodies(self, start: Vec) -> Element:
        """The first body, with the others inside it one in the other."""
        frames = frames_along(self._edges)
        found: list[Element] = []
        for k, edge in enumerate(self._edges):
            pos = start if k == 0 else (pose.norm(self._edges[k - 1]), 0.0, 0.0)
            quat = frames[0] if k == 0 else pose.quat_mul(pose.quat_inv(frames[k - 1]), frames[k])
            body = self.made("body", "worldbody/body", name=self.names[k], pos=np.array(pos), quat=np.array(quat))
            body.children = self._inside(k, pose.norm(edge))
            if found:
                found[-1].children.append(body)
            found.append(body)
        return found[0]

    def _inside(self, k: int, length: float) -> list[Element]:
        prefix, end, last = self._element.get("prefix", ""), self._ends[k], k == len(self._edges) - 1
        items = self._joints(k, f"{prefix}J_{end}")
        items.append(self._piece(f"{prefix}G{k}", length))
        ends = {"first": 0.0} if k == 0 else {}
        if last:
            ends |= {"last": length} if k else {"first": length}  # a cable of one piece has but one, as in the reference
        for at, x in ends.items():
            group = _GROUP if self._site is None else self._site.get("group")
            items.append(self.made("site", "worldbody/site", self._site, name=f"{prefix}S_{at}", group=group,
                                   pos=np.array((x, 0.0, 0.0))))  # fmt: skip
        if self._instance:
            items.append(self.made("plugin", "worldbody/body/plugin", next(self._element.all("plugin")), instance=self._instance))
        return items

    def _joints(self, k: int, name: str) -> list[Element]:
        initial = self._element.get("initial")
        if k == 0 and initial == "none":
            return []
        group = _GROUP if self._joint is None else self._joint.get("group")
        kind = "free" if k == 0 and initial == "free" else "ball"
        # A range limits the joints, whatever `limited` says, as in the reference (which refuses ranges without autolimits).
        limited = "true" if self._joint is not None and np.any(self._joint.get("range")) else "false"
        joint = self.made("joint", "worldbody/body/joint", self._joint, name=name, type=kind, group=group, limited=limited)
        if kind == "free":
            for name in ("damping", "armature", "frictionloss"):
                joint.attributes.pop(name, None)
        return [joint]

    def _piece(self, name: str, length: float) -> Element:
        size = np.array([*np.atleast_1d(self._geom.get("size")), 0.0, 0.0][:3])
        if self._geom.get("type") == "box":
            size[0] = 0.5 * length
            return self.made("geom", "worldbody/geom", self._geom, name=name, size=size, pos=np.array((0.5 * length, 0.0, 0.0)))
        ends = np.array((0.0, 0.0, 0.0, length, 0.0, 0.0))
        return self.made("geom", "worldbody/geom", self._geom, name=name, size=size, fromto=ends)


def frames_along(edges: list[Vec]) -> list[Quat]:
    """The frames of the pieces of a chain, each with its x axis along its piece, as quaternions.

    Where the first two pieces are in line there is no plane, and no y axis to start from: it stays zero, and the rotation that
    is made of the x axis alone is the smallest that leads there. So it is in the reference, for the whole chain.
    """
    tangents = [pose.unit(edge) for edge in edges]
    normal = pose.ZERO
    if len(tangents) > 1:
        normal = _unit(pose.cross(_unit(pose.cross(tangents[0], tangents[1])), tangents[0]))
    frames = [_frame(tangents[0], normal)]
    for before, tangent in pairwise(tangents):
        across = pose.cross(before, tangent)
        angle = math.atan2(pose.norm(across), pose.dot(before, tangent))
        normal = pose.rotate(pose.axis_angle(pose.unit(across), angle), normal)
        frames.append(_frame(tangent, normal))
    return frames


def _frame(tangent: Vec, normal: Vec) -> Quat:
    return pose.from_axes(tangent, normal, _unit(pose.cross(tangent, normal)))


def _unit(v: Vec) -> Vec:
    """v scaled to length 1, zero if it has no direction."""
    return pose.ZERO if pose.norm(v) < _TINY else pose.unit(v)


_RULE = find("deformable/skin")
_COLOR = np.ones(4)


def make_skin(element: Element, geom: Element, bodies: list[str]) -> Element:
    """The skin of a cable with these bodies. Its vertices all begin at the origin, the bones alone place them.

    The sides are as far apart as the boxes are wide; `inflate` gives them their height.
    """
    asked = next(element.all("skin"), None)
    values = {} if asked is None else {name: asked.get(name) for name in ("material", "group", "rgba")}
    given = {name: value for name, value in values.items() if value is not None}
    if asked is not None and asked.get("subgrid"):
        asked.warn("subgrid is not drawn: the skin of the cable is not smoothed")
    rows = len(bodies) + 1
    skin = Element("skin", (asked or element).where, {"rgba": _COLOR} | given, frozenset(), [], _RULE.schema_defaults,
                   settings=element.settings)  # fmt: skip
    skin.attributes |= {
        "name": f"{element.get('prefix', '')}Skin", "vertex": np.zeros(12 * rows), "face": _faces(rows).ravel(),
        "inflate": 2 * float(geom.get("size")[2]),
    }  # fmt: skip
    if asked is not None and asked.get("texcoord"):
        along = np.repeat(np.arange(rows) / (rows - 1), 2)
        skin.attributes["texcoord"] = np.tile(np.stack([along, np.tile((0.0, 1.0), rows)], axis=1), (2, 1)).ravel()
    skin.children = [_bone(skin, geom, bodies, row, side) for row, side in product(range(rows), (0, 1))]
    return skin


def _bone(skin: Element, geom: Element, bodies: list[str], row: int, side: int) -> Element:
    """One corner of one end of a piece, above and below."""
    rows, size = len(bodies) + 1, geom.get("size")
    end = row == len(bodies)
    at = (-2.0 * float(size[0]) if end else 0.0, (2 * side - 1) * float(size[1]), 0.0)
    values = {
        "body": bodies[row - end], "bindpos": np.array(at), "bindquat": np.array((1.0, 0.0, 0.0, 0.0)),
        "vertid": np.array((2 * row + side, 2 * (row + rows) + side)), "vertweight": np.ones(2),
    }  # fmt: skip
    return Element("bone", skin.where, values, settings=skin.settings)


def _faces(rows: int) -> np.ndarray:
    """Triangles between two vertices in each row and as many below, those below behind all above: (8 rows - 4, 3)."""
    below = 2 * rows
    i = 2 * np.arange(rows - 1)[:, None]
    bands = ((0, 2, 3, 0, 3, 1), (below, below + 3, below + 2, below, below + 1, below + 3),
             (0, below + 2, 2, 0, below, below + 2), (1, 3, below + 3, 1, below + 3, below + 1))  # fmt: skip
    last = 2 * (rows - 1)
    ends = ((0, 1, below + 1, 0, below + 1, below), (last, below + last + 1, last + 1, last, below + last, below + last + 1))
    return np.concatenate([*((i + np.array(band)).reshape(-1, 3) for band in bands), np.array(ends).reshape(-1, 3)])

"""<flexcomp>: bodies for its points, a <flex> between them and an equality constraint, as if they had been written.

Every point that is not pinned becomes a body with slide joints: three along the axes, or one along the line from the origin of
the parent (dof radial). With dof trilinear or quadratic the points stay in the parent, and the bodies are the 8 or 27 nodes of
the box around them, between which the points are interpolated.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from tumble.physics.compiler import pose
from tumble.physics.compiler.assets.asset_files import file_name, open_file
from tumble.physics.compiler.assets.mesh.raw import MeshProblem
from tumble.physics.compiler.assets.mesh.read import read_triangle_file
from tumble.physics.compiler.bodies.frames import read_pose
from tumble.physics.compiler.compose.assembly import Assembly
from tumble.physics.compiler.flex import cloud as shapes
from tumble.physics.compiler.flex.cloud import Cloud, Pins, Points, box, pinned
from tumble.physics.compiler.flex.gmsh import read_gmsh
from tumble.physics.compiler.flex.read import NODES
from tumble.physics.compiler.pose import Quat, Vec, vec3
from tumble.physics.mjcf.defaults import DefaultClass
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.constants import mjMINVAL

_FROM_FILE = ("mesh", "gmsh")
_FLAT = ("box", "cylinder")  # shown with flat faces, as is a grid of dim 3
_PASSED = ("name", "group", "radius", "material", "rgba")
_ORDER = {"trilinear": 1, "quadratic": 2}
_AXES = np.eye(3)
_OWN = "vertcollide"  # made here, of no meaning to the flex
_BALLS = 4  # group of geoms of vertices, hidden by default


class CompPlace(Struct, frozen=True):
    """Context of a <flexcomp>: its body's name, the enclosing frames as a pose in it, and whether it is copied."""

    body: str
    pos: Vec
    quat: Quat
    copied: bool


def flexcomp(
    assembly: Assembly, element: Element, place: CompPlace, files: Document, defaults: DefaultClass | None
) -> list[Element]:
    """Elements that replace a <flexcomp>; the <flex> and the constraint go to their sections.

    files: of the main model, which finds them. defaults: the class of its joints and geoms. Raises MjcfError for what is no flex.
    """
    for plugin in element.all("plugin"):
        raise plugin.error(f"is not supported yet: {find('worldbody/flexcomp/plugin').status.why}")
    made = _Flexcomp(element, place, defaults)
    dim, cloud = _cloud(element, files)
    cloud = _posed(element, cloud)
    bodies, flex = made.flex(dim, cloud)
    assembly.take_room(7 * len(bodies) + 2, element)
    assembly.section("deformable").children.append(flex)
    edge = next(element.all("edge"), None)
    tag = {"true": "flex", "vert": "flexvert"}.get(edge.get("equality") if edge is not None else "false")
    if edge is not None and tag is not None:
        values = {name: edge.get(name) for name in ("solref", "solimp")}
        assembly.section("equality").children.append(made.made(tag, f"equality/{tag}", flex=element.get("name"), **values))
    return bodies


def _cloud(element: Element, files: Document) -> tuple[int, Cloud]:
    """The dimension of a flex, its points before the pose, and its elements."""
    kind, dim = element.get("type"), int(element.get("dim"))
    if not 1 <= dim <= 3:
        raise element.error(f"dim must be 1, 2 or 3, is {dim}")
    if kind in ("disc", "square") and dim == 1:
        raise element.error(f"dim of a {kind} must be 2, is 1")
    if kind not in ("direct", *_FROM_FILE) and (np.asarray(element.get("spacing")) < 2 * _thickness(element)).any():
        raise element.error(f"spacing must be twice the radius and the margin or more, {2 * _thickness(element):g}, "
                            "or its elements would touch from the start")  # fmt: skip
    match kind:
        case "box" | "cylinder" | "ellipsoid":
            made = box(element, dim)
        case "square" | "disc":
            dim = 2
            made = shapes.grid(element, 2) if kind == "square" else shapes.disc(element)
        case "circle" if dim == 1:
            made = shapes.circle(element)
        case "grid" | "circle":
            made = shapes.grid(element, dim)
        case "direct":
            made = shapes.direct(element, dim)
        case _:
            dim, made = _from_file(element, files, dim)
    written = np.atleast_1d(np.asarray(element.get("texcoord", ()), float))
    if written.size:
        if written.size != 2 * len(made.points):
            raise element.error(f"texcoord needs two numbers for each of {len(made.points)} points, has {written.size}")
        made.texcoord = written.reshape(-1, 2)
    return dim, made


def _thickness(element: Element) -> float:
    """Contact distance of a flex from its vertices."""
    contact = next(element.all("contact"), None)
    return max(float(element.get("radius")), float(contact.get("margin")) if contact is not None else 0.0)


def _from_file(element: Element, files: Document, dim: int) -> tuple[int, Cloud]:
    file = file_name(element)
    if not file:
        raise element.error(f"needs a file for type {element.get('type')}")
    if element.get("type") == "mesh" and dim == 1:
        raise element.error("dim must be 2 or 3 for type mesh, is 1")
    if element.get("type") == "mesh" and dim == 3 and not element.has("origin"):
        raise element.error("needs an origin for type mesh and dim 3: the point with which every triangle makes a tetrahedron")
    data = open_file(files, element, file, element.settings.meshdir)
    try:
        if element.get("type") == "gmsh":
            points, elements = read_gmsh(data)
            texcoord: Points = np.empty((0, 2))
        else:
            points, elements, texcoord = read_triangle_file(element, file, data)
    except MeshProblem as problem:
        raise element.error(f'file "{file}" {problem}') from None
    if element.get("type") == "mesh" and dim == 3:  # triangles make tetrahedra with the origin, which they have to face away from
        corners = points[elements] - np.asarray(element.get("origin"), float)
        elements = elements[np.linalg.det(corners) > 0]
        if not len(elements):
            raise element.error(f'file "{file}" has no triangle that faces away from the origin')
        elements = np.concatenate([np.zeros((len(elements), 1), np.int64), 1 + elements], axis=1)
        points = np.concatenate([np.asarray(element.get("origin"), float)[None], points])
        texcoord = np.concatenate([np.zeros((min(1, len(texcoord)), 2)), texcoord])
    shapes.require_points(element, len(points))
    return elements.shape[1] - 1, Cloud(points, elements, texcoord).without_loose()


def _posed(element: Element, cloud: Cloud) -> Cloud:
    """Points scaled, where they are given as numbers, then in the parent's frame."""
    scale = np.asarray(element.get("scale"), float)
    if scale.min() < mjMINVAL:
        raise element.error("scale must be positive, is " + " ".join(f"{v:g}" for v in scale))
    points = cloud.points * scale if element.get("type") in ("direct", *_FROM_FILE) else cloud.points
    pos, quat = read_pose(element)
    cloud.points = _turned(quat, points) + np.array(pos)
    if not np.isfinite(cloud.points).all():
        raise element.error("has points that are not finite")
    return cloud


def _turned(quat: Quat, points: Points) -> Points:
    """Points turned by q = (w, r): v + 2 r x (w v + r x v), rounded as in the reference: what just touches does so in both."""
    w, x, y, z = quat
    a, b, c = points.T
    inner = np.stack((w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a), axis=1)
    return np.asarray(points + 2.0 * np.cross((x, y, z), inner))


class _Flexcomp:
    """Makes the elements of one <flexcomp>."""

    def __init__(self, element: Element, place: CompPlace, defaults: DefaultClass | None) -> None:
        self._element, self._place = element, place
        self._defaults = defaults.values if defaults is not None else {}
        if element.get("mass") < mjMINVAL or element.get("inertiabox") < mjMINVAL:
            mass, side = element.get("mass"), element.get("inertiabox")
            raise element.error(f"mass and inertiabox must be positive, are {mass:g} and {side:g}")
        if place.pos != pose.ZERO or place.quat != pose.IDENTITY:
            element.warn("stands in a <frame>, which does not move it, as in the reference: use its own pos and orientation")

    def made(self, tag: str, path: str, **values: Any) -> Element:
        """An element as if it were written where the flexcomp is."""
        where = replace(self._element.where, offset=-1)
        rule = find(path)
        return Element(tag, where, dict(values), frozenset(values), [], rule.schema_defaults, settings=self._element.settings)

    def flex(self, dim: int, cloud: Cloud) -> tuple[list[Element], Element]:
        """The bodies and the <flex>."""
        element = self._element
        number = len(cloud.points)
        pins = pinned(element, number, dim)
        if element.get("dof") == "radial":
            pins[0] = True
        flat = element.get("flatskin") or element.get("type") in _FLAT or (element.get("type") == "grid" and dim == 3)
        values = {name: element.get(name) for name in _PASSED if element.get(name) is not None}
        flex = self.made("flex", "deformable/flex", dim=dim, flatskin=bool(flat), element=cloud.elements.ravel(), **values)
        flex.where = element.where  # numbers that a flex and a <flexcomp> have alike are written there
        if len(cloud.texcoord):
            flex.attributes["texcoord"] = cloud.texcoord.ravel()
        flex.children = list(self._passed())
        order = _ORDER.get(element.get("dof"), 0)
        if pins.all():
            bodies: list[Element] = []
            flex.attributes |= {"body": (self._parent(),), "vertex": cloud.points.ravel()}
        elif order:
            bodies = self._nodes(cloud, pins, order, flex)
        else:
            bodies = self._vertices(cloud, pins, flex)
        return bodies, flex

    def _passed(self) -> list[Element]:
        made = []
        for child in self._element.all("edge", "elasticity", "contact"):
            rule = find(f"deformable/flex/{child.tag}")
            values = {name: value for name, value in child.attributes.items() if name in rule.attributes and name != _OWN}
            made.append(Element(child.tag, child.where, values, frozenset(values), [], rule.schema_defaults,
                                settings=child.settings))  # fmt: skip
        return made

    def _parent(self) -> str:
        """The name of the body that holds what is pinned."""
        if not self._place.body:
            raise self._element.error("has points that are pinned to a body without a name: give that <body> a name")
        if self._place.copied:
            raise self._element.error("has points that are pinned outside of the <replicate> around it: put it into a <body>")
        return self._place.body

    def _vertices(self, cloud: Cloud, pins: Pins, flex: Element) -> list[Element]:
        """A body for each point that is not pinned."""
        mass = self._element.get("mass") / len(cloud.points)
        radial = self._element.get("dof") == "radial"
        names = [self._parent() if pin else f"{self._element.get('name')}_{k}" for k, pin in enumerate(pins)]
        flex.attributes["body"] = tuple(names)
        if pins.any():
            flex.attributes["vertex"] = np.where(pins[:, None], cloud.points, 0.0).ravel()
        bodies = []
        for name, point, pin in zip(names, cloud.points, pins, strict=True):
            if not pin:
                bodies.append(self._body(name, point, mass, self._away(point)[None] if radial else _AXES))
        return bodies

    def _away(self, point: Points) -> Points:
        length = float(np.linalg.norm(point))
        if length < mjMINVAL:
            raise self._element.error("has a point in the origin of its body, with no direction to move in (dof radial): pin it")
        return np.asarray(point / length)

    def _nodes(self, cloud: Cloud, pins: Pins, order: int, flex: Element) -> list[Element]:
        """A body for each node of the box around the points, the heavier the more of the box is near it."""
        low, high = cloud.points.min(axis=0), cloud.points.max(axis=0)
        shares = np.array((1, 4, 1)) / 6 if order == 2 else np.array((0.5, 0.5))
        names, coordinates, bodies = list[str](), list[Points](), list[Element]()
        for k, place in enumerate(product(range(order + 1), repeat=3)):
            at = low + (high - low) * np.array(place) / order
            if k < len(pins) and pins[k]:
                names.append(self._parent())
                coordinates.append(at)
                continue
            names.append("_".join([self._element.get("name"), *map(str, place)]))
            coordinates.append(np.zeros(3))
            mass = self._element.get("mass") * float(np.prod(shares[list(place)]))
            bodies.append(self._body(names[-1], at, mass, _AXES))
        flex.attributes |= {"body": (self._parent(),) * len(cloud.points), "vertex": cloud.points.ravel(), "node": tuple(names)}
        if np.any(coordinates):
            flex.attributes[NODES] = np.concatenate(coordinates)
        return bodies

    def _body(self, name: str, at: Points, mass: float, axes: Points) -> Element:
        inverse = pose.quat_inv(self._place.quat)
        pos = pose.rotate(inverse, pose.sub(vec3(at), self._place.pos))
        body = self.made("body", "worldbody/body", name=name, pos=np.array(pos))
        if inverse != pose.IDENTITY:
            body.attributes["quat"] = np.array(inverse)
        inertia = np.full(3, mass * 2 * self._element.get("inertiabox") ** 2 / 3)
        body.children = [self.made("inertial", "worldbody/body/inertial", pos=np.zeros(3), mass=mass, diaginertia=inertia)]
        held = [self.made("joint", "worldbody/body/joint", type="slide", pos=np.zeros(3), axis=axis) for axis in axes]
        contact = next(self._element.all("contact"), None)
        if contact is not None and contact.get(_OWN):
            held.append(self._ball())
        for item in held:
            item.attributes = self._defaults.get(item.tag, {}) | item.attributes
        body.children += held
        return body

    def _ball(self) -> Element:
        """A geom by which a vertex collides on its own."""
        size = np.array((float(self._element.get("radius")), 0.0, 0.0))
        ball = self.made("geom", "worldbody/geom", type="sphere", size=size)
        if self._element.get("dof") not in _ORDER:
            ball.attributes["group"] = _BALLS
        return ball

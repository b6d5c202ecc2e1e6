"""Geoms: size, pose, mass and inertia of the primitive shapes, and their bounds.

Masses follow from the volume, or with `shellinertia` from the surface; inertias are about the geom's own axes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from tumble.physics.compiler import pose
from tumble.physics.compiler.assets import Assets
from tumble.physics.compiler.assets.hfield import hfield_of
from tumble.physics.compiler.assets.mesh.asset import MeshAsset
from tumble.physics.compiler.bodies.frames import read_pose, read_segment
from tumble.physics.compiler.draft import Body, Geom
from tumble.physics.compiler.pose import ZERO, Quat, Vec
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.enums import mjtGeom

PLANE, SPHERE, CAPSULE = mjtGeom.mjGEOM_PLANE, mjtGeom.mjGEOM_SPHERE, mjtGeom.mjGEOM_CAPSULE
ELLIPSOID, CYLINDER, BOX = mjtGeom.mjGEOM_ELLIPSOID, mjtGeom.mjGEOM_CYLINDER, mjtGeom.mjGEOM_BOX

_SIZES = {PLANE: "half x, half y (0: infinite) and a grid spacing above 0", SPHERE: "radius", CAPSULE: "radius and half length",
          CYLINDER: "radius and half length", ELLIPSOID: "three radii", BOX: "three half lengths"}  # fmt: skip
_HUGE = 1e10  # what bounds a half space
_SHELL = 1e-6  # thickness [m] of the layer whose inertia stands for that of an ellipsoid's surface

Segment = tuple[Vec, Quat, float]
T = TypeVar("T")


def make_geom(
    element: Element, body: Body, around: Callable[[Vec, Quat], tuple[Vec, Quat]], assets: Assets
) -> Geom:
    """A geom of a body; around: brings a pose from the `<frame>` that the geom is written in to the body's frame."""
    kind = mjtGeom[f"mjGEOM_{element.get('type', 'sphere').upper()}"]
    hfield, mesh = hfield_of(element, kind, assets.hfields), mesh_of(element, kind, assets.meshes)
    if element.get("condim", 3) not in (1, 3, 4, 6):
        raise element.error(f"condim must be 1, 3, 4 or 6, is {element.get('condim')}")
    segment = read_segment(element)
    if segment and "pos" in element.given and any(element.get("pos")):
        raise element.error("has both fromto and pos: fromto says where it is")
    pos, quat = segment[:2] if segment else read_pose(element)
    pos, quat = around(pos, quat)
    if mesh:
        pos, quat = on_mesh(kind, element, mesh, pos, quat)
    size = hfield.box if hfield else mesh_size(element, kind, mesh) if mesh else shape_size(element, kind, segment)
    geom = Geom(element, body, pos, quat, kind, size, hfield=hfield, mesh=mesh)
    _set_mass(geom)
    return geom


def shape_size(element: Element, kind: mjtGeom, segment: Segment | None) -> Vec:
    """The size of a geom or site; components that its type does not use stay as written or inherited."""
    size = [float(v) for v in element.get("size", (0.0, 0.0, 0.0))]
    size += [0.0] * (3 - len(size))
    if segment:
        if kind in (CAPSULE, CYLINDER):
            size[1] = segment[2]
        elif kind in (BOX, ELLIPSOID):
            size[1:] = size[0], segment[2]
        else:
            raise element.error(f"fromto needs a capsule, cylinder, box or ellipsoid, not a {kind.name[7:].lower()}")
    if element.tag == "site" and kind in (PLANE, mjtGeom.mjGEOM_HFIELD, mjtGeom.mjGEOM_MESH):
        shape = kind.name[7:].lower()
        raise element.error(f"a site cannot be a {shape}; there are: sphere, capsule, ellipsoid, cylinder, box")
    if not (size[2] > 0 if kind == PLANE else all(s > 0 for s in size[: NSIZE.get(kind, 3)])):
        written, means = " ".join(f"{s:g}" for s in size[: NSIZE.get(kind, 3)]), _SIZES.get(kind, "half lengths")
        raise element.error(f"size of a {kind.name[7:].lower()} must be positive ({means}), is {written}")
    return size[0], size[1], size[2]


def _set_mass(geom: Geom) -> None:
    element = geom.element
    mass, density = element.get("mass"), element.get("density", 1000.0)
    if (mass is not None and mass < 0) or density < 0:
        if geom.body.parent is not None:
            raise element.error("mass and density must not be negative")
        element.warn("mass and density are negative: they mean nothing in the world, which has no mass")
    if geom.mesh is not None and geom.type in OF_MESH:
        shape = geom.mesh.shape
        geom.mass = density * shape.amount if mass is None else mass
        geom.inertia = pose.scale(geom.mass / shape.amount, shape.inertia)
        return
    shell = bool(element.get("shellinertia", False))
    kind = geom.type if geom.hfield is None else BOX
    amount = surface(kind, geom.size) if shell else volume(kind, geom.size)
    if mass is None:
        geom.mass = density * amount
    elif amount > mjMINVAL:
        geom.mass = mass
    unit = shell_inertia(kind, geom.size) if shell else solid_inertia(kind, geom.size)
    geom.inertia = pose.scale(geom.mass, unit)


_Of = dict[mjtGeom, Callable[[float, float, float], T]]  # of shapes, by the three numbers of their sizes

_VOLUMES: _Of[float] = {
    SPHERE: lambda a, b, c: 4 / 3 * math.pi * a**3,
    CAPSULE: lambda a, b, c: math.pi * (4 / 3 * a**3 + 2 * b * a**2),
    CYLINDER: lambda a, b, c: math.pi * a**2 * 2 * b,
    ELLIPSOID: lambda a, b, c: 4 / 3 * math.pi * a * b * c,
    BOX: lambda a, b, c: 8 * a * b * c,
}
_THOMSEN = 1.6075  # exponent of his formula for the surface of an ellipsoid, whose error is below 1.2 %
_SURFACES: _Of[float] = {
    SPHERE: lambda a, b, c: 4 * math.pi * a**2,
    CAPSULE: lambda a, b, c: 4 * math.pi * a**2 + 4 * math.pi * a * b,
    CYLINDER: lambda a, b, c: 2 * math.pi * a**2 + 4 * math.pi * a * b,
    ELLIPSOID: lambda a, b, c: float(4 * math.pi * (sum((u * v) ** _THOMSEN for u, v in ((a, b), (b, c), (c, a))) / 3)
                                     ** (1 / _THOMSEN)),
    BOX: lambda a, b, c: 8 * (a * b + b * c + c * a),
}  # fmt: skip
_RADII: _Of[float] = {
    SPHERE: lambda a, b, c: a, CAPSULE: lambda a, b, c: a + b, CYLINDER: lambda a, b, c: math.hypot(a, b),
    ELLIPSOID: lambda a, b, c: max(a, b, c), BOX: lambda a, b, c: math.sqrt(a * a + b * b + c * c),
}  # fmt: skip
_BOXES: _Of[tuple[float, ...]] = {
    SPHERE: lambda a, b, c: (0, 0, 0, a, a, a), CAPSULE: lambda a, b, c: (0, 0, 0, a, a, a + b),
    CYLINDER: lambda a, b, c: (0, 0, 0, a, a, b), PLANE: lambda a, b, c: (0, 0, -_HUGE / 2, _HUGE, _HUGE, _HUGE / 2),
}  # fmt: skip


def volume(kind: mjtGeom, size: Vec) -> float:
    """Volume of a shape [m^3]; a plane has none."""
    return _VOLUMES[kind](*size) if kind in _VOLUMES else 0.0


def surface(kind: mjtGeom, size: Vec) -> float:
    """Surface of a shape [m^2]; a plane has none."""
    return _SURFACES[kind](*size) if kind in _SURFACES else 0.0


def bounding_radius(kind: mjtGeom, size: Vec) -> float:
    """Radius of the sphere about the centre that holds a shape; 0 for a plane: unbounded."""
    return _RADII[kind](*size) if kind in _RADII else 0.0


def bounding_box(kind: mjtGeom, size: Vec) -> tuple[float, ...]:
    """Centre and half lengths of the box along the geom's axes that holds a shape."""
    return _BOXES[kind](*size) if kind in _BOXES else (0, 0, 0, *size)


def solid_inertia(kind: mjtGeom, size: Vec) -> Vec:
    """Principal moments of inertia of a solid shape for one unit of mass [m^2]."""
    a, b, c = size
    match kind:
        case mjtGeom.mjGEOM_SPHERE:
            return (0.4 * a * a,) * 3
        case mjtGeom.mjGEOM_CAPSULE:
            # a cylinder and two half balls, whose centres lie 3/8 a beyond its ends
            ball = (4 / 3 * a) / (4 / 3 * a + 2 * b)
            across = (1 - ball) * (a * a / 4 + b * b / 3) + ball * (0.4 * a * a + b * b + 0.75 * a * b)
            along = (1 - ball) * a * a / 2 + ball * 0.4 * a * a
            return across, across, along
        case mjtGeom.mjGEOM_CYLINDER:
            across = a * a / 4 + b * b / 3
            return across, across, a * a / 2
        case mjtGeom.mjGEOM_ELLIPSOID:
            return (b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5
        case mjtGeom.mjGEOM_BOX:
            return (b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3
    return pose.ZERO


def shell_inertia(kind: mjtGeom, size: Vec) -> Vec:
    """Principal moments of inertia of a shape's surface for one unit of mass [m^2]."""
    a, b, c = size
    match kind:
        case mjtGeom.mjGEOM_SPHERE:
            return (2 / 3 * a * a,) * 3
        case mjtGeom.mjGEOM_CAPSULE:
            # a tube and two half spheres, whose centres lie a/2 beyond its ends
            caps = a / (a + b)
            across = (1 - caps) * (a * a / 2 + b * b / 3) + caps * (2 / 3 * a * a + b * b + a * b)
            return across, across, (1 - caps) * a * a + caps * 2 / 3 * a * a
        case mjtGeom.mjGEOM_CYLINDER:
            # a tube and two disks
            disks = a / (a + 2 * b)
            across = (1 - disks) * (a * a / 2 + b * b / 3) + disks * (a * a / 4 + b * b)
            return across, across, (1 - disks) * a * a + disks * a * a / 2
        case mjtGeom.mjGEOM_ELLIPSOID:
            # the thin layer between this ellipsoid and one that is a little larger
            outer = (a + _SHELL, b + _SHELL, c + _SHELL)
            v, w = volume(kind, size), volume(kind, outer)
            x, y, z = (
                (w * o - v * i) / (w - v)
                for i, o in zip(solid_inertia(kind, size), solid_inertia(kind, outer), strict=True)
            )
            return x, y, z
        case mjtGeom.mjGEOM_BOX:
            return _box_shell(b, c, a), _box_shell(a, c, b), _box_shell(a, b, c)
    return pose.ZERO


def _box_shell(p: float, q: float, axis: float) -> float:
    """Moment of a box's surface about the axis of that half length, for one unit of mass."""
    ends, p_sides, q_sides = p * q, q * axis, p * axis  # areas: at the axis' ends, across p, across q
    total = ends + p_sides + q_sides
    return (ends * (p * p + q * q) / 3 + p_sides * (p * p + q * q / 3) + q_sides * (q * q + p * p / 3)) / total


def check_planes(world: Body) -> None:
    """Raise MjcfError if a plane, which has no end, would move."""
    moving: set[int] = set()
    for body in world.walk():
        if body.joints or (body.parent is not None and id(body.parent) in moving):
            moving.add(id(body))
            for geom in body.geoms:
                if geom.type == PLANE:
                    raise geom.element.error("a plane cannot move: its body, or one above it, has joints")


OF_MESH = frozenset({mjtGeom.mjGEOM_MESH, mjtGeom.mjGEOM_SDF})  # types whose shape is a mesh
# Primitive shapes, which can be fitted to a mesh, and how many numbers their sizes have.
NSIZE = {mjtGeom.mjGEOM_SPHERE: 1, mjtGeom.mjGEOM_CAPSULE: 2, mjtGeom.mjGEOM_ELLIPSOID: 3, mjtGeom.mjGEOM_CYLINDER: 2,
         mjtGeom.mjGEOM_BOX: 3}  # fmt: skip


def mesh_of(element: Element, kind: mjtGeom, meshes: Sequence[MeshAsset]) -> MeshAsset | None:
    """The mesh that a geom shows or is fitted to, None for a geom without one.

    Raises MjcfError if type and reference do not fit together.
    """
    name = element.get("mesh")
    if not name:
        if kind in OF_MESH:
            known = ", ".join(mesh.name for mesh in meshes) or "the model has none"
            raise element.error(f"of type {kind.name[7:].lower()} needs the attribute mesh, the name of a mesh: {known}")
        return None
    if kind not in OF_MESH and kind not in NSIZE:
        raise element.error(f"of type {kind.name[7:].lower()} cannot be fitted to a mesh; valid are mesh, sdf, sphere, "
                            "capsule, ellipsoid, cylinder, box")  # fmt: skip
    if element.get("fromto") is not None:
        raise element.error("has both fromto and a mesh, each of which says where it is")
    if kind in OF_MESH and element.get("shellinertia"):
        raise element.error('shellinertia is for primitive shapes; a mesh has inertia="shell" in its asset')
    return next(mesh for mesh in meshes if mesh.name == name)


def mesh_size(element: Element, kind: mjtGeom, mesh: MeshAsset) -> Vec:
    """The size of a geom of a mesh, or of the primitive fitted to it; what the type does not use is as written."""
    if kind in OF_MESH:
        return mesh.size
    by_box = element.settings.fitaabb
    x, y, z = mesh.bounds[3:] if by_box else mesh.inertia_box
    radius = max(x, y) if by_box else (x + y) / 2
    match kind:
        case mjtGeom.mjGEOM_SPHERE:
            fitted = [max(x, y, z) if by_box else (x + y + z) / 3]
        case mjtGeom.mjGEOM_CAPSULE:
            fitted = [radius, max(0.0, z - radius if by_box else z - radius / 2)]
        case mjtGeom.mjGEOM_CYLINDER:
            fitted = [radius, z]
        case _:
            fitted = [x, y, z]
    written = [float(v) for v in element.get("size", ())]
    size = [element.get("fitscale", 1.0) * v for v in (*fitted, *written[len(fitted) :])]
    size += [0.0] * (3 - len(size))
    if not all(v > 0 for v in size[: len(fitted)]):
        raise element.error(f"fitted to mesh \"{mesh.name}\" has the size {' '.join(f'{v:g}' for v in size[: len(fitted)])}; "
                            "each must be positive: see fitscale")  # fmt: skip
    return size[0], size[1], size[2]


def on_mesh(kind: mjtGeom, element: Element, mesh: MeshAsset, pos: Vec, quat: Quat) -> tuple[Vec, Quat]:
    """The pose of a geom: that which is written for the mesh's file, moved to the mesh's own frame."""
    pos, quat = pose.compose(pos, quat, mesh.shape.pos, mesh.shape.quat)
    centre: Vec = ZERO
    if kind not in OF_MESH and element.settings.fitaabb:
        centre = mesh.bounds[0], mesh.bounds[1], mesh.bounds[2]
    elif kind not in OF_MESH:
        pos, quat = pose.compose(pos, quat, mesh.shape.mass_pos, mesh.shape.mass_quat)
    return pose.add(pos, pose.rotate(quat, centre)), pose.quat_unit(quat)

"""Geoms of meshes: which mesh is meant, and the primitive shape that is fitted to it where the type is another."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from tumble.physics.compiler import pose
from tumble.physics.compiler.assets.mesh.asset import MeshAsset
from tumble.physics.compiler.pose import ZERO, Quat, Vec
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtGeom

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
            shape = kind.name[7:].lower()
            raise element.error(f"of type {shape} needs the attribute mesh, the name of a mesh: {_known(meshes, '')}")
        return None
    if kind not in OF_MESH and kind not in NSIZE:
        raise element.error(f"of type {kind.name[7:].lower()} cannot be fitted to a mesh; valid are mesh, sdf, sphere, "
                            "capsule, ellipsoid, cylinder, box")  # fmt: skip
    if element.get("fromto") is not None:
        raise element.error("has both fromto and a mesh, each of which says where it is")
    if kind in OF_MESH and element.get("shellinertia"):
        raise element.error('shellinertia is for primitive shapes; a mesh has inertia="shell" in its asset')
    found = next((mesh for mesh in meshes if mesh.name == name), None)
    if found is None:
        raise element.error(f'mesh "{name}" is not a mesh; there are: {_known(meshes, name)}')
    return found


def _known(meshes: Sequence[MeshAsset], name: str) -> str:
    names = [mesh.name for mesh in meshes]
    close = difflib.get_close_matches(name, names, 3)
    return ", ".join(close + [n for n in names[:8] if n not in close]) or "the model has none"


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

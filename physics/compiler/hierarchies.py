"""Bounding volume hierarchies as arrays of the model: of each body over its geoms that collide, of each mesh, of each flex."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tumble.physics.compiler.bvh import Tree, tree
from tumble.physics.compiler.draft import Draft, Geom
from tumble.physics.compiler.flex.fill import active_elements, flex_tree
from tumble.physics.state.model import Model


def hierarchy_sizes(draft: Draft) -> dict[str, int]:
    """Number of nodes; those of flexes move, and have their boxes in the data."""
    leaves = (sum(map(collides, body.geoms)) for body in draft.bodies)
    nodes = sum(2 * n - 1 for n in leaves if n) + sum(len(mesh.shape.tree.depth) for mesh in draft.assets.meshes)
    moving = sum(2 * int(active_elements(flex).sum()) - 1 for flex in draft.flexes)
    return {"nbvh": nodes + moving, "nbvhstatic": nodes, "nbvhdynamic": moving}


def collides(geom: Geom) -> bool:
    """True if a geom may touch another without a contact pair that says so."""
    return bool(geom.element.get("contype", 1) or geom.element.get("conaffinity", 1))


def fill_hierarchies(draft: Draft, m: Model) -> None:
    """Write the hierarchies of a model, whose bodies, geoms and meshes are written."""
    at = fill_geom_trees(m)
    for i, mesh in enumerate(draft.assets.meshes):
        m.mesh_bvhadr[i], m.mesh_bvhnum[i] = at, len(mesh.shape.tree.depth)
        at = _write(mesh.shape.tree, at, m)
    for i, flex in enumerate(draft.flexes):
        found = flex_tree(flex)
        m.flex_bvhadr[i], m.flex_bvhnum[i] = at, len(found.depth)
        at = _write(found, at, m)


def fill_geom_trees(m: Model) -> int:
    """Write the hierarchy of each body over its geoms that collide, the first ones; returns where they end."""
    at = 0
    for body, nodes, one in _geom_trees(m, range(m.nbody)):
        m.body_bvhadr[body], m.body_bvhnum[body] = at, nodes
        at = _write(one, at, m)
    return at


def refit_geom_trees(m: Model, bodies: Iterable[int]) -> None:
    """Write the hierarchies of some bodies again: their geoms, or inertial frames, are elsewhere.

    Those of a body whose geoms collide now in another number than when it was compiled stay as they are.
    """
    for body, nodes, one in _geom_trees(m, bodies):
        if m.body_bvhnum[body] == nodes:
            _write(one, int(m.body_bvhadr[body]), m)


def _geom_trees(m: Model, bodies: Iterable[int]) -> Iterator[tuple[int, int, Tree]]:
    """Of some bodies with geoms that collide: the body, the number of nodes, the hierarchy."""
    centre, half = _inertial_boxes(m)
    taking_part = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
    for body in bodies:
        first, number = max(0, int(m.body_geomadr[body])), int(m.body_geomnum[body])
        geoms = (first + np.flatnonzero(taking_part[first : first + number])).astype(np.int32)
        if len(geoms):
            at, reach = centre[geoms], half[geoms]
            yield body, 2 * len(geoms) - 1, tree(at - reach, at + reach, geoms, at)


def _write(one: Tree, at: int, m: Model) -> int:
    """Write a hierarchy where the ones before it end; returns where it ends."""
    end = at + len(one.depth)
    m.bvh_depth[at:end], m.bvh_child[at:end], m.bvh_nodeid[at:end] = one.depth, one.child, one.nodeid
    if end <= m.nbvhstatic:
        m.bvh_aabb[at:end] = one.aabb
    return end


def _inertial_boxes(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Centres and half lengths of boxes about the geoms along the axes of their bodies' inertial frames, (ngeom, 3) each."""
    body = m.geom_bodyid
    own, inertial = _matrices(m.geom_quat), _matrices(m.body_iquat[body])
    turn = np.einsum("gji,gjk->gik", inertial, own)  # from the geom's axes to the inertial frame's
    offset = np.einsum("gji,gj->gi", inertial, m.geom_pos - m.body_ipos[body])
    centre = offset + np.einsum("gij,gj->gi", turn, m.geom_aabb[:, :3])
    half = np.einsum("gij,gj->gi", np.abs(turn), m.geom_aabb[:, 3:])
    return centre, half


def _matrices(quats: np.ndarray) -> np.ndarray:
    """Rotation matrices of unit quaternions, (n, 3, 3)."""
    w, x, y, z = quats.T
    rows = (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )
    return np.moveaxis(np.array(rows), 2, 0)

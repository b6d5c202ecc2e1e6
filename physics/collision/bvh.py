"""Groups of geoms that do not move against each other, and a tree over each: made once, when a model is bound.

The first group, if there is one, is all that is static, in the world; the others are bodies of many geoms, in
their frames. What is in no group, and every plane, is swept on its own. The trees are cut at the median of
the longest side and hold no boxes: those are data (middle.py), and follow when a script moves a geom of the model.
"""

from __future__ import annotations

import zlib

import numpy as np

from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.model import Model

LEAST_STATIC, LEAST_MOVING = 8, 8  # fewest geoms that are worth a tree
LEAF = 4  # most geoms in a leaf; more than ngeom / 2 nodes there are never


def fill_bvh(m: Model) -> None:
    """Write collide_home, collide_group, collide_leaf, collide_node and their numbers, unless they are of the same groups."""
    home, group, leaf, node = (m._arrays[f"collide_{name}"] for name in ("home", "group", "leaf", "node"))
    groups, before = _groups(m), home.copy()
    home[...] = -1
    for count, (_, geoms) in enumerate(groups):
        home[geoms] = count
    if m.collide_stamp and np.array_equal(home, before):
        return
    at = first = count = 0
    for body, geoms in groups:
        order, nodes = _tree(m.geom_pos[geoms] if body else _places(m)[geoms])
        end = at + len(nodes)
        leaf[first : first + len(geoms)] = geoms[order]
        node[at:end] = nodes + np.array([first, first, at], np.int32)
        node[at:end][nodes[:, 2] < 0, 2] = -1
        group[count] = body, at
        at, first, count = end, first + len(geoms), count + 1
    m.collide_ngroup, m.collide_nnode = count, at
    # Boxes fit the trees that they were made for: the data compare this number.
    m.collide_stamp = zlib.crc32(leaf[:first].tobytes() + node[:at].tobytes() + group[:count].tobytes())


def _groups(m: Model) -> list[tuple[int, np.ndarray]]:
    """Bodies, 0 for all that is static, and their geoms that can touch anything."""
    usable = ((m.geom_contype != 0) | (m.geom_conaffinity != 0)) & (m.geom_type != mjtGeom.mjGEOM_PLANE)
    still = usable & _is_still(m)[m.geom_bodyid]
    groups = [(0, np.flatnonzero(still))] if np.count_nonzero(still) >= LEAST_STATIC else []
    number = np.bincount(m.geom_bodyid[usable & ~still], minlength=m.nbody)
    for body in np.flatnonzero(number >= LEAST_MOVING):
        groups.append((int(body), np.flatnonzero(usable & (m.geom_bodyid == body))))
    return groups


def _is_still(m: Model) -> np.ndarray:
    """Mask (nbody,) of bodies fixed to the world, and to no mocap body."""
    still = m.body_weldid == 0
    for body in range(1, m.nbody):
        still[body] &= m.body_mocapid[body] < 0 and still[m.body_parentid[body]]
    return still


def _places(m: Model) -> np.ndarray:
    """About where geoms are in the world, (ngeom, 3): of static bodies' geoms, turns of bodies left out, to cut a tree by."""
    at = m.body_pos.copy()
    for body in range(1, m.nbody):
        at[body] += at[m.body_parentid[body]]
    return np.asarray(at[m.geom_bodyid] + m.geom_pos)


def _tree(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The order of points in the leaves, (n,), and the nodes (nodes, 3): first leaf, end, second child or -1.

    Nodes stand in the order in which one walks through the tree: the first child comes after its parent.
    """
    sizes: dict[int, int] = {}

    def size(n: int) -> int:
        """Nodes of a tree over n points."""
        if n not in sizes:
            sizes[n] = 1 if n <= LEAF else 1 + size(n // 2) + size(n - n // 2)
        return sizes[n]

    order = np.arange(len(points))
    nodes = np.empty((size(len(points)), 3), np.int32)
    todo = [(0, 0, len(points))]
    while todo:
        node, first, end = todo.pop()
        nodes[node] = first, end, -1
        if end - first > LEAF:
            here = order[first:end]
            axis = int(np.argmax(np.ptp(points[here], axis=0)))
            half = (end - first) // 2
            order[first:end] = here[np.argpartition(points[here, axis], half, kind="introselect")]
            nodes[node, 2] = node + 1 + size(half)
            todo += [(node + 1, first, first + half), (int(nodes[node, 2]), first + half, end)]
    return order, nodes

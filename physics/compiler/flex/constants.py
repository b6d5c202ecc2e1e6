"""What follows from the configuration of the file in which flexes are at rest: lengths of edges and how easily forces change them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from physics.state.data import Data
from physics.state.model import Model

_CHUNK = 2**22  # numbers of a matrix that are processed in one piece

Solver = Callable[[np.ndarray], np.ndarray]


def vertices(m: Model, d: Data) -> np.ndarray:
    """Where the vertices of all flexes are, (nflexvert, 3) [m], as their bodies and nodes are in the data."""
    at = _attached(d, m.flex_vertbodyid, m.flex_vert)
    nodes = _attached(d, m.flex_nodebodyid, m.flex_node)
    for i in np.flatnonzero(m.flex_interp):
        vert = slice(int(m.flex_vertadr[i]), int(m.flex_vertadr[i] + m.flex_vertnum[i]))
        node = slice(int(m.flex_nodeadr[i]), int(m.flex_nodeadr[i] + m.flex_nodenum[i]))
        at[vert] = weights(m.flex_vert0[vert], int(m.flex_interp[i])) @ nodes[node]
    return at


def _attached(d: Data, body: np.ndarray, local: np.ndarray) -> np.ndarray:
    return np.asarray(d.xpos[body] + np.einsum("nij,nj->ni", d.xmat.reshape(-1, 3, 3)[body], local))


def weights(place: np.ndarray, order: int) -> np.ndarray:
    """The share that each node has in points of a box, whose places (n, 3) go from 0 to 1: (n, 8) or (n, 27)."""
    s = place.T[:, :, None]
    one = np.concatenate([1 - s, s] if order == 1 else [(1 - s) * (1 - 2 * s), 4 * s * (1 - s), s * (2 * s - 1)], axis=2)
    found = one[0][:, :, None, None] * one[1][:, None, :, None] * one[2][:, None, None, :]
    return np.asarray(found.reshape(len(place), -1))


def flex_constants(m: Model, d: Data, solved: Solver) -> None:
    """Write lengths and inverse inertias of all edges; d: in the reference configuration. solved: M^-1 times rows (n, nv)."""
    if not m.nflexedge:
        return
    at = vertices(m, d)
    ends = m.flex_edge + np.repeat(m.flex_vertadr, m.flex_edgenum)[:, None]
    side = at[ends[:, 1]] - at[ends[:, 0]]
    m.flexedge_length0 = np.linalg.norm(side, axis=1)
    m.flexedge_invweight0 = 0.0
    rows = np.flatnonzero(m.flexedge_J_rownnz)
    step = max(1, _CHUNK // max(1, m.nv))
    for part in (rows[i : i + step] for i in range(0, len(rows), step)):
        jacobian = _lengthening(m, d, at, side, ends, part)
        m.flexedge_invweight0[part] = (jacobian * solved(jacobian)).sum(axis=1)


def _lengthening(m: Model, d: Data, at: np.ndarray, side: np.ndarray, ends: np.ndarray, part: np.ndarray) -> np.ndarray:
    """The rates of lengths of edges by the velocities of all dofs: (n, nv)."""
    number = m.flexedge_J_rownnz[part].astype(np.int64)
    row = np.repeat(np.arange(len(part)), number)
    first = np.cumsum(number) - number
    place = np.repeat(m.flexedge_J_rowadr[part] - first, number) + np.arange(number.sum())
    dof = m.flexedge_J_colind[place]
    along = side[part] / np.maximum(np.linalg.norm(side[part], axis=1), 1e-15)[:, None]
    first_of, last_of = _below(m)
    rate = np.zeros(len(dof))
    for end, sign in ((0, -1.0), (1, 1.0)):
        vertex = ends[part, end][row]
        body = m.flex_vertbodyid[vertex]
        moves = (first_of[dof] <= body) & (body <= last_of[dof])
        arm = at[vertex] - d.subtree_com[m.body_rootid[m.dof_bodyid[dof]]]
        velocity = d.cdof[dof, 3:] + np.cross(d.cdof[dof, :3], arm)
        rate += np.where(moves, sign * (velocity * along[row]).sum(axis=1), 0.0)
    found = np.zeros((len(part), m.nv))
    found[row, dof] = rate
    return found


def _below(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """The first and the last body that each dof moves: subtrees are in one piece."""
    last = np.arange(m.nbody)
    for body in range(m.nbody - 1, 0, -1):
        parent = m.body_parentid[body]
        last[parent] = max(last[parent], last[body])
    return m.dof_bodyid, last[m.dof_bodyid]


def edge_reach(m: Model, sizes: np.ndarray) -> None:
    """Let the sizes of bodies reach to the other ends of the edges of flexes that begin in them."""
    vertex = m.flex_edge + np.repeat(m.flex_vertadr, m.flex_edgenum)[:, None]
    for end in (0, 1):
        np.maximum.at(sizes, m.flex_vertbodyid[vertex[:, end]], m.flexedge_length0)

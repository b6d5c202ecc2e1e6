"""Constants of flexes at rest: edge lengths, and their inverse weights."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tumble.physics.compiler.flex.material import at_rest, part_of
from tumble.physics.state.data import Data
from tumble.physics.state.model import Model

_SLIDES = 2  # body_simple of a body that only slides, along its axes
_OF_VERTICES = 2  # flex_edgeequality
_LINE = 1e-12  # relative area of what is a line
_CHUNK = 2**22  # numbers of a matrix that are processed in one piece

Solver = Callable[[np.ndarray], np.ndarray]


def vertices(m: Model, d: Data) -> np.ndarray:
    """Vertex positions (nflexvert, 3) [m] for the bodies' poses in the data; meaningless for interpolated ones."""
    return _attached(d, m.flex_vertbodyid, m.flex_vert)


def _attached(d: Data, body: np.ndarray, local: np.ndarray) -> np.ndarray:
    return np.asarray(d.xpos[body] + np.einsum("nij,nj->ni", d.xmat.reshape(-1, 3, 3)[body], local))


def flex_constants(m: Model, d: Data, solved: Solver) -> None:
    """Write what follows from masses and the reference configuration, in which d is: see the fields below.

    flexedge_length0, flexedge_invweight0 of all edges, flex_vertmetric of cloth whose strains are held. solved: M^-1 times
    rows (n, nv).
    """
    if not m.nflexedge:
        return
    held = (m.flex_edgeequality == _OF_VERTICES) & (m.flex_dim == 2) & (m.flex_interp == 0) & (m.flex_rigid == 0)
    for flex in np.flatnonzero(held):
        _weigh_neighbours(m, int(flex))
    at = vertices(m, d)
    ends = m.flex_edge + np.repeat(m.flex_vertadr, m.flex_edgenum)[:, None]
    side = at[ends[:, 1]] - at[ends[:, 0]]
    free = np.repeat(m.flex_interp == 0, m.flex_edgenum)
    m.flexedge_length0 = np.where(free, np.linalg.norm(side, axis=1), 0.0)  # of interpolated ones nothing uses it
    m.flexedge_invweight0 = 0.0
    # as in the reference: a mean where both bodies slide alone, and nothing where constraints are on vertices
    bodies = m.flex_vertbodyid[ends]
    simple = (m.flexedge_rigid == 0) & (m.body_simple[bodies] == _SLIDES).all(axis=1) & (bodies >= 0).all(axis=1)
    m.flexedge_invweight0[simple] = m.body_invweight0[bodies[simple], 0].mean(axis=1)
    felt = (m.flex_edgeequality != _OF_VERTICES) | (m.flex_edgedamping > 0) | (m.flex_edgestiffness > 0) | (m.flex_damping > 0)
    rows = np.flatnonzero((m.flexedge_J_rownnz > 0) & ~simple & np.repeat(felt, m.flex_edgenum))
    step = max(1, _CHUNK // max(1, m.nv))
    for part in (rows[i : i + step] for i in range(0, len(rows), step)):
        jacobian = _lengthening(m, d, at, side, ends, part)
        m.flexedge_invweight0[part] = (jacobian * solved(jacobian)).sum(axis=1)


def _weigh_neighbours(m: Model, flex: int) -> None:
    """The shape around each vertex of a cloth: the inverse of the squares of its edges, weighted by the mass at other ends.

    An end on a static body counts as the vertex itself: it holds the cloth as any other does.
    """
    vert, edge = part_of(m, flex, "vert"), m.flex_edge[part_of(m, flex, "edge")]
    at, body = at_rest(m, flex)[:, :2], m.flex_vertbodyid[vert]
    mass = np.where(m.body_weldid[body] > 0, m.body_mass[body], 0.0)
    sides = at[edge[:, 1]] - at[edge[:, 0]]
    squares = np.zeros((len(at), 2, 2))
    for end in (0, 1):
        weight = np.where(mass[edge[:, 1 - end]] > 0, mass[edge[:, 1 - end]], mass[edge[:, end]])
        np.add.at(squares, edge[:, end], weight[:, None, None] * sides[:, :, None] * sides[:, None, :])
    size = squares[:, 0, 0] * squares[:, 1, 1]
    solid = np.linalg.det(squares) > _LINE * size  # edges in one line, or to what has no mass, have no shape
    squares[~solid] = np.eye(2)
    m.flex_vertmetric[vert] = np.where(solid[:, None], np.linalg.inv(squares).reshape(-1, 4), 0.0)


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


def flex_reach(m: Model, d: Data, sizes: np.ndarray) -> None:
    """Let the sizes of bodies reach to the other ends of the edges of flexes that begin in them, and from node to node."""
    vertex = m.flex_edge + np.repeat(m.flex_vertadr, m.flex_edgenum)[:, None]
    for end in (0, 1):
        body = m.flex_vertbodyid[vertex[:, end]]
        np.maximum.at(sizes, body[body >= 0], m.flexedge_length0[body >= 0])
    for i in np.flatnonzero(m.flex_interp):
        body = m.flex_nodebodyid[m.flex_nodeadr[i] : m.flex_nodeadr[i] + m.flex_nodenum[i]]
        apart = np.linalg.norm(d.xipos[body][:, None] - d.xipos[body], axis=2)
        np.maximum.at(sizes, body, apart.max(axis=1))

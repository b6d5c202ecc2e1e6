"""Columns of the Jacobians of flexes' edges and vertex neighbourhoods."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.physics.compiler.draft import Draft
from tumble.physics.compiler.flex.read import Flex
from tumble.physics.compiler.flex.topology import edges_of
from tumble.physics.state.model import Model

Ints = NDArray[np.int64]
Chain = tuple[int, ...]


class FlexPatterns(Struct, eq=False):
    """Room for the columns of all rows: of each edge, and of each vertex; None: not used."""

    edges: list[Chain]
    vertices: list[Chain | None]
    edge_room: int
    vertex_room: int


def flex_patterns(draft: Draft) -> FlexPatterns:
    """The patterns of all flexes; there is room for edges and vertices that no force needs, as in the reference."""
    found = FlexPatterns([], [], 0, 0)
    chains = _chains(draft) if draft.flexes else []
    for flex in draft.flexes:
        kind = edge_equality(draft, flex)
        moves = not flex.rigid and not flex.nodes
        shape = flex.topology
        edges = [_union(chains, flex.bodyid[list(ends)]) if moves else () for ends in shape.edge.tolist()]
        number, incident = edges_of(shape.edge, len(flex.vert))
        stops = np.cumsum(number)
        vertices: list[Chain] = []
        for v, (stop, many) in enumerate(zip(stops, number, strict=True)):
            near = np.unique(np.append(shape.edge[incident[stop - many : stop]].ravel(), v))
            vertices.append(_union(chains, flex.bodyid[near]) if moves else ())
        found.edge_room += sum(map(len, edges))
        found.vertex_room += sum(map(len, vertices))
        found.edges += edges
        found.vertices += vertices if moves and kind == 2 and flex.dim == 2 else [None] * len(vertices)
    return found


def edge_equality(draft: Draft, flex: Flex) -> int:
    """Target of a flex's first equality constraint: 0 none, 1 edges, 2 vertex neighbourhoods."""
    name = flex.element.get("name", "")
    kinds = {"flex": 1, "flexvert": 2}
    return next((kinds[e.tag] for e in draft.equalities if e.tag in kinds and e.get("flex") == name and name), 0)


def fill_flex_patterns(patterns: FlexPatterns, m: Model) -> None:
    """Write the patterns of a model."""
    _write_edges(patterns.edges, m)
    at = 0
    columns = m.flexvert_J_colind.reshape(-1)
    for row, chain in enumerate(patterns.vertices):
        if chain is not None:
            for side in (0, 1):  # two rows for each vertex, one behind the other
                m.flexvert_J_rownnz[row, side], m.flexvert_J_rowadr[row, side] = len(chain), at
                columns[at : at + len(chain)] = chain
                at += len(chain)


def lay_out_edges(m: Model) -> None:
    """Write which edges have a row in the Jacobian, after damping or stiffness of a flex was changed: there is room for all."""
    above: list[Chain] = [()] * m.nbody
    for body in range(1, m.nbody):
        first = int(m.body_dofadr[body])
        above[body] = (*above[m.body_parentid[body]], *range(first, first + int(m.body_dofnum[body])))
    bodies = m.flex_vertbodyid[m.flex_edge + np.repeat(m.flex_vertadr, m.flex_edgenum)[:, None]]
    still = np.repeat((m.flex_rigid != 0) | (m.flex_interp != 0), m.flex_edgenum)
    _write_edges([() if rest else _union(above, pair) for rest, pair in zip(still, bodies, strict=True)], m)


def _write_edges(chains: list[Chain], m: Model) -> None:
    """The rows of edges of flexes whose edges are kept in length, resist or are damped."""
    spring = (m.flex_edgestiffness > 0) | (m.flex_edgedamping > 0) | (m.flex_damping > 0)
    used = np.repeat((m.flex_rigid == 0) & (m.flex_interp == 0) & ((m.flex_edgeequality > 0) | spring), m.flex_edgenum)
    number, begin, columns = (m._arrays[f"flexedge_J_{name}"] for name in ("rownnz", "rowadr", "colind"))
    for array in (number, begin, columns):
        array.fill(0)
    at = 0
    for row in np.flatnonzero(used):
        chain = chains[row]
        number[row], begin[row] = len(chain), at
        columns[at : at + len(chain)] = chain
        at += len(chain)


def _chains(draft: Draft) -> list[Chain]:
    """The dofs that move each body, rising."""
    chains: list[Chain] = []
    for body in draft.bodies:
        above = chains[body.parent.id] if body.parent else ()
        own = [i for joint in body.joints for i in range(joint.dofadr, joint.dofadr + joint.ndof)]
        chains.append((*above, *own))
    return chains


def _union(chains: list[Chain], bodies: Ints) -> Chain:
    return tuple(sorted(set().union(*(chains[b] for b in set(bodies.tolist())))))

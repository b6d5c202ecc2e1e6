"""The material of a flex: the stiffness of its elements and bends, written from moduli, also while the model runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tumble.physics.compiler.flex.elasticity import bending, lame, stretching
from tumble.physics.compiler.flex.topology import topology
from tumble.physics.state.model import Model

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]

ELASTIC_2D = ("none", "bend", "stretch", "both")  # by its number, whose bits are:
BENDS, STRETCHES = 1, 2
_ALIGNED = 1e-12  # of its size, by which a box may be off the world's axes


def follow_elasticity(m: Model, flex: int) -> None:
    """Compute the stiffness of a flex again, from its material as the model has it now; nothing for one without elasticity."""
    if m.flex_elastic[flex]:
        material = float(m.flex_young[flex]), float(m.flex_poisson[flex]), float(m.flex_thickness[flex])
        set_elasticity(m, flex, at_rest(m, flex), material, int(m.flex_elastic[flex]))


def set_elasticity(m: Model, flex: int, at: Reals, material: tuple[float, float, float], elastic2d: int) -> None:
    """Write the stiffness of elements and bends of a flex of dim 2 or 3, or of the box of nodes, whatever is between them.

    at: (nvert, 3) [m] its vertices at rest, anywhere. material: young [Pa], poisson [1], thickness [m]. elastic2d: the bits.
    """
    young, poisson, thickness = material
    dim, elem, edge = int(m.flex_dim[flex]), part_of(m, flex, "elem"), part_of(m, flex, "edge")
    mu, lam = lame(young, poisson)
    if m.flex_interp[flex]:
        from tumble.physics.compiler.flex.nodes import node_stiffness  # brings numpy's polynomials

        size, axes = _box(m, flex)
        stiffness = node_stiffness(size, axes, int(m.flex_interp[flex]), mu, lam)
        m.flex_stiffness[elem].reshape(-1)[: stiffness.size] = stiffness.ravel()
    elif dim == 3 or elastic2d & STRETCHES:
        m.flex_stiffness[elem] = stretching(at, elements_of(m, flex), mu, lam, thickness)
    if dim == 2 and elastic2d & BENDS:
        elements = elements_of(m, flex)
        flap = topology(elements).flap
        m._arrays["flex_edgeflap"][edge] = flap
        m.flex_bending[edge] = bending(at, sense(m.flex_edge[edge].astype(np.int64), flap, elements), flap, mu, thickness)


def _box(m: Model, flex: int) -> tuple[Reals, Reals]:
    """The sides (3,) [m] of the box of nodes, and their directions, the columns of (3, 3); those of the world if it is flat."""
    node, n = m.flex_node0[part_of(m, flex, "node")], int(m.flex_interp[flex]) + 1
    sides = node[[(n - 1) * n * n, (n - 1) * n, n - 1]] - node[0]
    size = np.linalg.norm(sides, axis=1)
    if np.abs(sides - np.diag(np.diag(sides))).max() <= _ALIGNED * size.max() or not (size > 0).all():
        return np.asarray(node[-1] - node[0]), np.eye(3)
    return size, (sides / size[:, None]).T


def at_rest(m: Model, flex: int) -> Reals:
    """Vertex positions of a flex at qpos0 [m], relative to the centre of their box."""
    return np.asarray((m.flex_vert0[part_of(m, flex, "vert")] - 0.5) * 2 * m.flex_size[flex])


def elements_of(m: Model, flex: int) -> Ints:
    """The elements of a flex, (n, dim + 1), by its own vertices."""
    width = int(m.flex_dim[flex]) + 1
    data = part_of(m, flex, "elemdata", width * int(m.flex_elemnum[flex]))
    return np.asarray(m.flex_elem[data].reshape(-1, width), np.int64)


def part_of(m: Model, flex: int, name: str, number: int | None = None) -> slice:
    """The part of an array that belongs to a flex; name: of the address, "vert", "edge", ...; number: if the model has none."""
    start = int(getattr(m, f"flex_{name}adr")[flex])
    return slice(start, start + int(getattr(m, f"flex_{name}num")[flex] if number is None else number))


def sense(edge: Ints, flap: Ints, elements: Ints) -> Ints:
    """Edges in the sense in which their first triangle has them.

    The matrix of a bend goes by that sense although the edge is stored with the lower vertex first: so in the reference.
    """
    around = {tuple(t[k:] + t[:k]) for t in elements.tolist() for k in range(3)}
    turned = [(a, b, c) not in around for (a, b), c in zip(edge.tolist(), flap[:, 0].tolist(), strict=True)]
    return np.where(np.array(turned)[:, None], edge[:, ::-1], edge)

"""The material of a flex: the stiffness of its elements and bends, written from moduli, also while the model runs.

Elements stretch as a Saint Venant-Kirchhoff material: the energy density is lambda / 2 tr(E)^2 + mu tr(E E), E = (F^T F - 1) / 2.
In a simplex the position is linear, so the change of the metric F^T F - 1 is linear in the changes s_e of the squared lengths of
its edges. With g_i the gradients of the barycentric coordinates,

    F^T F - 1 = sum over edges e = (i, j) of s_e T_e,    T_e = -(g_i g_j^T + g_j g_i^T) / 2

and the energy of an element is a quadratic form in s, whose matrix is stored:

    K_ef = V (lambda tr(T_e) tr(T_f) + mu 2 tr(T_e T_f) / 2)

Of a triangle V is thickness times area, and K is a quarter of that, by the convention of the reference.

A bend is the angle between two triangles at an edge. To first order it is c . x / height, with the cotangent weights c of the
four vertices, and K = mu t^3 / 24 * 3 / (A0 + A1) * cos(angle) c c^T, as in discrete quadratic bending; the number behind the
matrix is what a bend at rest adds. Source: Wardetzky and others, Discrete quadratic curvature energies, 2007; Garg and others,
Cubic shells, 2007.

A flex that is interpolated between the nodes of a box has the stiffness of the box: the material is linear, its stiffness the
integral over the box of products of gradients of the nodes' shares, which are products of polynomials along the three axes. So is
every integral: of products of values, or slopes, along each.

    K_(a i)(b j) = lambda int d_i N_a d_j N_b + mu / 2 (delta_ij sum_k int d_k N_a d_k N_b + int d_j N_a d_i N_b)

It is stored with the other sign, with half of the shear modulus, as in the reference. Shares: (1 - s, s), or
(1 - s)(1 - 2 s), 4 s (1 - s), s (2 s - 1) for order 2. The integrals of order 2 are sums over three points that are farther apart
than those of Gauss, +-sqrt(5/3) in place of +-sqrt(3/5): so in the reference, whose quadratic flexes are stiffer than they
should be.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.compiler.flex.topology import EDGES, topology
from tumble.physics.state.constants import mjMINVAL
from tumble.physics.state.model import Model

if TYPE_CHECKING:
    from numpy.polynomial import Polynomial

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]

WIDTH, BEND_WIDTH = 21, 17  # numbers kept for each element and each edge


def stretching(points: Reals, elements: Ints, mu: float, lam: float, thickness: float) -> Reals:
    """Stiffness of elements (n, dim + 1), dim 2 or 3, between points (nvert, 3) [m] at rest: (n, 21).

    mu, lam: of the material [Pa], see `lame`; thickness [m], of triangles alone. The upper triangle of each matrix, row by row.
    Never raises: an element without volume gets zeros.
    """
    dim = elements.shape[1] - 1
    corners = points[elements]
    sides = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)  # (n, 3, dim)
    metric = np.swapaxes(sides, 1, 2) @ sides
    squared = np.linalg.det(metric)
    solid = squared > 0
    metric[~solid] = np.eye(dim)
    gradients = np.linalg.solve(metric, np.swapaxes(sides, 1, 2))  # (n, dim, 3)
    gradients = np.concatenate([-gradients.sum(axis=1, keepdims=True), gradients], axis=1)
    i, j = EDGES[dim].T
    products = gradients @ np.swapaxes(gradients, 1, 2)
    trace = -products[:, i, j]
    # tr(T_e T_f) of the symmetric products, by scalar products of gradients alone
    ik, jl, il, jk = (products[:, a][:, :, b] for a, b in ((i, i), (j, j), (i, j), (j, i)))
    double = 0.5 * (ik * jl + il * jk)
    volume = np.where(solid, np.sqrt(np.maximum(squared, 0.0)), 0.0) / math.factorial(dim)
    if dim == 2:
        volume = 0.25 * thickness * volume
    matrix = volume[:, None, None] * (lam * trace[:, :, None] * trace[:, None, :] + mu * double)
    rows, columns = np.triu_indices(len(i))
    found = np.zeros((len(elements), WIDTH))
    found[:, : len(rows)] = matrix[:, rows, columns]
    return found


def bending(points: Reals, edge: Ints, flap: Ints, mu: float, thickness: float) -> Reals:
    """Stiffness of bends at edges (n, 2) between triangles whose other corners are flap (n, 2): (n, 17), zeros at the rim.

    mu: the shear modulus [Pa]; thickness [m]. The matrix goes by the two ends of the edge, then the two other corners.
    """
    found = np.zeros((len(edge), BEND_WIDTH))
    inner = np.flatnonzero(flap[:, 1] >= 0)
    a, b, c, d = (points[v] for v in (*edge[inner].T, *flap[inner].T))
    along = b - a
    one, other = np.cross(a - c, b - c), np.cross(d - a, along)
    double_area = np.linalg.norm(one, axis=1) + np.linalg.norm(other, axis=1)
    solid = (np.linalg.norm(one, axis=1) > 0) & (np.linalg.norm(other, axis=1) > 0)
    inner, (a, b, c, d, along, one, other) = inner[solid], (v[solid] for v in (a, b, c, d, along, one, other))
    double_area = double_area[solid]
    one, other = (n / np.linalg.norm(n, axis=1, keepdims=True) for n in (one, other))
    cos = (one * other).sum(axis=1)
    sin = (np.cross(one, other) * along).sum(axis=1) / np.linalg.norm(along, axis=1)
    ac, bc, ad, bd = _cot(along, c - a), _cot(-along, c - b), _cot(along, d - a), _cot(-along, d - b)
    weights = np.stack([bc + bd, ac + ad, -(ac + bc), -(ad + bd)], axis=1)
    scale = mu * thickness**3 / 24 * 6 / double_area
    found[inner, :16] = (scale * cos)[:, None] * (weights[:, :, None] * weights[:, None, :]).reshape(-1, 16)
    found[inner, 16] = scale * sin * (bc - ac) / (bc + ac) * (bd - ad) / (bd + ad)
    return found


def lame(young: float, poisson: float) -> tuple[float, float]:
    """The shear modulus and Lame's first parameter [Pa] of a material; young [Pa], poisson [1]."""
    return young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))


def _cot(u: Reals, v: Reals) -> Reals:
    return (u * v).sum(axis=1) / np.linalg.norm(np.cross(u, v), axis=1)


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


# Of nodes along an axis, by the order: the coefficients of their polynomials, rising, and the points and weights of integrals.
_SHARES = {1: ([1, -1], [0, 1]), 2: ([1, -3, 2], [0, 4, -4], [0, -1, 2])}
_POINTS = {
    1: (0.5 + np.array((-0.5, 0.5)) / np.sqrt(3), np.array((0.5, 0.5))),
    2: (0.5 + np.array((-0.5, 0.0, 0.5)) * np.sqrt(5 / 3), np.array((5, 8, 5)) / 18),
}  # fmt: skip


def node_stiffness(size: Reals, axes: Reals, order: int, mu: float, lam: float) -> Reals:
    """The stiffness of a box by the motions of its nodes: (3 n, 3 n) [N/m], n 8 or 27.

    size: (3,) [m] from the first node to the last along the axes of the box, the columns of axes (3, 3). The reference takes
    the distances along the world's axes, and its stiffness of turned boxes is that of others.
    mu, lam: of the material [Pa], see `lame`. Rows: x, y, z of each node, the last axis of nodes first. Never raises; zeros for a
    box without volume.
    """
    if not (np.abs(size) > mjMINVAL).all():
        return np.zeros((3 * (order + 1) ** 3,) * 2)
    from numpy.polynomial import Polynomial  # takes a while, and few models have nodes

    shares = [Polynomial(share) for share in _SHARES[order]]
    slopes = [share.deriv() for share in shares]
    tables = {(p, q): _integrals((shares, slopes)[p], (shares, slopes)[q]) for p in (0, 1) for q in (0, 1)}
    products = np.empty((3, 3, (order + 1) ** 3, (order + 1) ** 3))  # int d_i N_a d_j N_b
    for i in range(3):
        for j in range(3):
            along = [tables[int(k == i), int(k == j)] * size[k] ** (1 - (k == i) - (k == j)) for k in range(3)]
            products[i, j] = np.kron(np.kron(along[0], along[1]), along[2])
    sum_of = products[0, 0] + products[1, 1] + products[2, 2]
    stiffness = lam * products + 0.5 * mu * np.swapaxes(products, 0, 1)
    for i in range(3):
        stiffness[i, i] += 0.5 * mu * sum_of
    number = 3 * sum_of.shape[0]
    if (axes != np.eye(3)).any():
        stiffness = np.einsum("ik,klab,jl->ijab", axes, stiffness, axes)
    return -np.ascontiguousarray(stiffness.transpose(2, 0, 3, 1)).reshape(number, number)


def _integrals(one: list[Polynomial], other: list[Polynomial]) -> Reals:
    points, shares = _POINTS[len(one) - 1]
    return np.array([[float(shares @ (p * q)(points)) for q in other] for p in one])

"""Elastic stiffness of a flex that is interpolated between the nodes of a box.

The material is linear, its stiffness the integral over the box of products of gradients of the nodes' shares, which are products
of polynomials along the three axes. So is every integral: of products of values, or slopes, along each.

    K_(a i)(b j) = lambda int d_i N_a d_j N_b + mu / 2 (delta_ij sum_k int d_k N_a d_k N_b + int d_j N_a d_i N_b)

It is stored with the other sign, with half of the shear modulus, as in the reference. Shares: (1 - s, s), or
(1 - s)(1 - 2 s), 4 s (1 - s), s (2 s - 1) for order 2. The integrals of order 2 are sums over three points that are farther apart
than those of Gauss, +-sqrt(5/3) in place of +-sqrt(3/5): so in the reference, whose quadratic flexes are stiffer than they
should be.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from tumble.physics.state.constants import mjMINVAL

Reals = NDArray[np.float64]

_SHARES = {
    1: (Polynomial([1, -1]), Polynomial([0, 1])),
    2: (Polynomial([1, -3, 2]), Polynomial([0, 4, -4]), Polynomial([0, -1, 2])),
}  # fmt: skip
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
    shares = _SHARES[order]
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


def _integrals(one: tuple[Polynomial, ...] | list[Polynomial], other: tuple[Polynomial, ...] | list[Polynomial]) -> Reals:
    points, shares = _POINTS[len(one) - 1]
    return np.array([[float(shares @ (p * q)(points)) for q in other] for p in one])

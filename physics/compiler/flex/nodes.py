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

from itertools import product

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from tumble.physics.mjcf.spec import Element
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


Pins = NDArray[np.bool_]


def pinned(element: Element, number: int, dim: int) -> Pins:
    """Mask (number,) of pinned points. Raises MjcfError, at the <pin>, for points that do not exist."""
    pins = np.full(number, bool(element.get("rigid")))
    for pin in element.all("pin"):
        asked = ("id", "range", "grid", "gridrange")
        written = {name: np.atleast_1d(pin.get(name)).astype(int) for name in asked if np.size(pin.get(name, ()))}
        for name, width in (("range", 2), ("grid", dim), ("gridrange", 2 * dim)):
            if name in written and written[name].size % width:
                raise pin.error(f"{name} needs {width} numbers for each, has {written[name].size}")
            if name.startswith("grid") and name in written and element.get("type") != "grid":
                raise pin.error(f"{name} goes with type grid alone; use id or range")
        for one in written.get("id", ()):
            _pin(pins, pin, "id", int(one), int(one))
        for first, last in written.get("range", np.empty(0, int)).reshape(-1, 2):
            _pin(pins, pin, "range", int(first), int(last))
        for at in written.get("grid", np.empty(0, int)).reshape(-1, dim):
            _pin_grid(pins, pin, "grid", element, at, at)
        for low_high in written.get("gridrange", np.empty(0, int)).reshape(-1, 2 * dim):
            _pin_grid(pins, pin, "gridrange", element, low_high[:dim], low_high[dim:])
    return pins


def _pin(pins: Pins, pin: Element, name: str, first: int, last: int) -> None:
    for end in (first, last):
        if not 0 <= end < len(pins):
            raise pin.error(f"{name} has point {end}; there are points 0 to {len(pins) - 1}")
    pins[first : last + 1] = True


def _pin_grid(pins: Pins, pin: Element, name: str, element: Element, low: NDArray[np.int64], high: NDArray[np.int64]) -> None:
    count = [int(n) for n in element.get("count")][: len(low)]
    for end in (low, high):
        for axis, (at, most) in enumerate(zip(end, count, strict=True)):
            if not 0 <= at < most:
                raise pin.error(f"{name} has {at} along {'xyz'[axis]}; there are 0 to {most - 1}")
    ranges = (range(int(a), int(b) + 1) for a, b in zip(low, high, strict=True))
    for place in product(*ranges):
        index = 0
        for at, most in zip(place, count, strict=True):
            index = index * most + at
        pins[index] = True

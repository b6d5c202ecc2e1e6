"""Fluid parameters of an ellipsoid: coefficients, and virtual inertia of the medium.

For a medium of density 1 the virtual masses and moments of inertia of an ellipsoid follow from three numbers, kappa, which
are integrals over all confocal ellipsoids outside it (Tuckerman, 1925; Lamb, Hydrodynamics, chapter 5).
"""

from __future__ import annotations

import math

from tumble.physics.compiler.pose import Vec
from tumble.physics.dynamics.fluid.ellipsoid import ellipsoid_volume, semi_axes
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.enums import mjtGeom

# Nodes between 0 and 1/2 and weights of the Gauss-Kronrod rule with 15 points, symmetric about 1/2, to as many digits as the
# reference has them: its virtual masses, to the last bit, are those of this rule.
_NODES = (0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752, 0.5)
_WEIGHTS = (0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107)
_RULE = (*zip(_NODES, _WEIGHTS, strict=True), *((1 - x, w) for x, w in zip(_NODES[-2::-1], _WEIGHTS[-2::-1], strict=True)))
_WORST = 0.05  # relative error of a virtual mass that the rule may have; beyond, the integrals are computed to rounding
_TINY = 1e-14  # of a denominator


def fluid_numbers(element: Element, kind: mjtGeom, size: Vec) -> tuple[float, ...]:
    """A row of geom_fluid: on or off, five coefficients, virtual masses [m^3] and moments [m^5] by axis; zeros if off."""
    shape, coefficients = element.get("fluidshape"), element.get("fluidcoef")
    if shape != "ellipsoid":
        return (0.0,) * 12
    return 1.0, *(float(c) for c in coefficients), *added_mass(semi_axes(kind, size))


def added_mass(r: Vec) -> tuple[float, ...]:
    """Virtual masses [m^3] and moments of inertia [m^5] by axis, in a medium of density 1; 0 for a shape without volume."""
    if not min(r) > 0:
        return (0.0,) * 6
    k, volume = kappa(r), ellipsoid_volume(r)
    masses = (volume * k[i] / max(_TINY, 2 - k[i]) for i in range(3))
    moments = (volume / 5 * _moment(r[j], r[i], k[j], k[i]) for j, i in ((1, 2), (2, 0), (0, 1)))
    return *masses, *moments


def _moment(p: float, q: float, k_p: float, k_q: float) -> float:
    """Virtual moment about an axis over a fifth of the volume; p, q: the other semi-axes. None of a shape of revolution."""
    difference, total = p * p - q * q, p * p + q * q
    return difference**2 * abs(k_q - k_p) / max(_TINY, abs(2 * difference + total * (k_p - k_q)))


def kappa(r: Vec) -> Vec:
    """The integrals of r_x r_y r_z / sqrt((r_i^2 + s)^3 (r_j^2 + s) (r_k^2 + s)) over s from 0 to infinity, by axis i.

    Their sum is 2: by that the error of the quadrature is known, which is large for very thin plates.
    """
    x, y, z = r
    rough = _quadrature(x, y, z), _quadrature(y, z, x), _quadrature(z, x, y)
    if abs(sum(rough) - 2) <= _WORST * (2 - max(rough)):
        return rough
    return _exact(x, y, z), _exact(y, z, x), _exact(z, x, y)


def _quadrature(a: float, b: float, c: float) -> float:
    """Kappa along a by the rule, with s = scale x^3 / (1 - x)^2 for x from 0 to 1."""
    scale, total = (a**3 * b * c) ** 0.4, 0.0
    for x, weight in _RULE:
        s = scale * x**3 / (1 - x) ** 2
        slope = scale * (3 * x**2 / (1 - x) ** 2 + 2 * x**3 / (1 - x) ** 3)
        outer = 1 + s / a**2
        total += weight * slope / (outer * math.sqrt(outer * (1 + s / b**2) * (1 + s / c**2)))
    return total / a**2


def _exact(a: float, b: float, c: float) -> float:
    """Kappa along a as Carlson's elliptic integral: 2/3 a b c R_D(b^2, c^2, a^2).

    Duplication brings the arguments together, and the rest is a series. Source: Carlson, Computing elliptic integrals by
    duplication, 1979; NIST, Digital Library of Mathematical Functions, 19.36.
    """
    x, y, z, head, power = b * b, c * c, a * a, 0.0, 1.0
    mean = (x + y + 3 * z) / 5
    while max(abs(mean - x), abs(mean - y), abs(mean - z)) > 1e-3 * mean:
        root_x, root_y, root_z = math.sqrt(x), math.sqrt(y), math.sqrt(z)
        step = root_x * root_y + root_y * root_z + root_z * root_x
        head += power / (root_z * (z + step))
        power /= 4
        x, y, z = (x + step) / 4, (y + step) / 4, (z + step) / 4
        mean = (x + y + 3 * z) / 5
    u, v = (mean - x) / mean, (mean - y) / mean
    w = -(u + v) / 3
    e2, e3 = u * v - 6 * w * w, (3 * u * v - 8 * w * w) * w
    e4, e5 = 3 * (u * v - w * w) * w * w, u * v * w**3
    series = 1 - 3 * e2 / 14 + e3 / 6 + 9 * e2 * e2 / 88 - 3 * e4 / 22 - 9 * e2 * e3 / 52 + 3 * e5 / 26
    return 2 / 3 * a * b * c * (3 * head + power * series / (mean * math.sqrt(mean)))

"""The material of a flex: its stiffness written from moduli, also while the model runs, and moduli found from its stiffness.

A model keeps the stiffness of each element alone. It is linear in Lame's two parameters, so that one element tells them; what
triangles have is their product with the thickness, and only bends, which go with its third power, tell the thickness itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from physics.compiler.flex.elasticity import BEND_WIDTH, bending, lame, stretching
from physics.compiler.flex.nodes import node_stiffness
from physics.compiler.flex.topology import topology
from physics.state.model import Model

Reals = NDArray[np.float64]
Ints = NDArray[np.int64]

ELASTIC_2D = ("none", "bend", "stretch", "both")  # by its number; the bits say whether it bends and stretches


@dataclass(frozen=True, slots=True)
class FlexMaterial:
    """young [Pa]; poisson [1]; thickness [m], 0 for solids; elastic2d: one of ELASTIC_2D.

    thickness_known: whether the model tells the thickness; if not it is 1 m, and young is the product of modulus and thickness.
    """

    young: float
    poisson: float
    thickness: float
    elastic2d: str
    thickness_known: bool = True


def flex_elasticity(m: Model, flex: int, young: float, poisson: float, thickness: float = -1.0, elastic2d: str = "none") -> None:
    """Give a flex another material, as if the file had said it; written to flex_stiffness, flex_bending and flex_edgeflap.

    young [Pa], 0 for none; poisson [1], 0 to 0.5; thickness [m], elastic2d ("none", "bend", "stretch", "both"): of dim 2 alone.
    Raises ValueError for what no file could say, and changes nothing then. Sleeping trees are the caller's to wake.
    """
    dim, order = int(m.flex_dim[flex]), int(m.flex_interp[flex])
    if elastic2d not in ELASTIC_2D:
        raise ValueError(f"elastic2d should be one of {', '.join(ELASTIC_2D)}, not {elastic2d!r}")
    kind = ELASTIC_2D.index(elastic2d)
    if not (young >= 0 and math.isfinite(young)):
        raise ValueError(f"young should be 0 or more, is {young:g}")
    if not 0 <= poisson < 0.5:
        raise ValueError(f"poisson should be 0 or more and less than 0.5, is {poisson:g}")
    if dim == 2 and kind and young > 0 and not (thickness > 0 and math.isfinite(thickness)):
        raise ValueError(f"thickness should be positive, is {thickness:g}")
    if dim == 2 and kind & 1 and young > 0 and not m.flex_centered[flex]:
        raise ValueError("bends need all vertices in the origins of their own bodies, none pinned")
    if order and young > 0 and 21 * m.flex_elemnum[flex] < (3 * m.flex_nodenum[flex]) ** 2:
        raise ValueError("the flex has too few elements to store the stiffness between its nodes")
    elem, edge = part_of(m, flex, "elem"), part_of(m, flex, "edge")
    m.flex_stiffness[elem], m.flex_bending[edge], m.flex_edgeflap[edge] = 0.0, 0.0, -1
    if young > 0 and dim > 1:
        set_elasticity(m, flex, at_rest(m, flex), (young, poisson, thickness), kind)


def material_of(m: Model, flex: int) -> FlexMaterial:
    """The material that a flex has, found from its stiffness; young is 0 if it has none."""
    at = at_rest(m, flex)
    if m.flex_dim[flex] == 1:
        return FlexMaterial(0.0, 0.0, 0.0, "none")
    if m.flex_interp[flex]:
        size, order = _box(m, flex), int(m.flex_interp[flex])
        stored = m.flex_stiffness[part_of(m, flex, "elem")].ravel()[: (3 * m.flex_nodenum[flex]) ** 2]
        basis = [node_stiffness(size, order, *unit).ravel() for unit in ((1.0, 0.0), (0.0, 1.0))]
    else:
        stored = m.flex_stiffness[part_of(m, flex, "elem")]
        largest = int(np.argmax(np.abs(stored).sum(axis=1)))
        stored, one = stored[largest], elements_of(m, flex)[largest : largest + 1]
        basis = [stretching(at, one, *unit, 1.0)[0] for unit in ((1.0, 0.0), (0.0, 1.0))]
    mu, lam = np.linalg.lstsq(np.stack(basis, axis=1), stored, rcond=None)[0] if stored.any() else (0.0, 0.0)
    bend = _bend(m, flex, at)
    if m.flex_dim[flex] == 3:
        return FlexMaterial(*_moduli(float(mu), float(lam)), 0.0, "none")
    kind = ELASTIC_2D[(bend > 0) + 2 * (mu > 0)]
    if mu > 0 and bend > 0:  # mu t and mu t^3
        thickness = math.sqrt(bend / mu)
        return FlexMaterial(*_moduli(float(mu) / thickness, float(lam) / thickness), thickness, kind)
    young, poisson = _moduli(float(mu), float(lam)) if mu > 0 else (2.0 * bend, 0.0)
    return FlexMaterial(young, poisson, 1.0, kind, thickness_known=False)


def _moduli(mu: float, lam: float) -> tuple[float, float]:
    """Young's modulus [Pa] and Poisson's ratio of Lame's parameters."""
    return (mu * (3 * lam + 2 * mu) / (lam + mu), 0.5 * lam / (lam + mu)) if mu > 0 else (0.0, 0.0)


def _bend(m: Model, flex: int, at: Reals) -> float:
    """The shear modulus times the third power of the thickness [N m], by the stiffest bend; 0 without bends."""
    edge = part_of(m, flex, "edge")
    stored = m.flex_bending[edge]
    if not stored.any():
        return 0.0
    stiffest = int(np.argmax(np.abs(stored[:, : BEND_WIDTH - 1]).sum(axis=1)))
    one = slice(stiffest, stiffest + 1)
    flap = m.flex_edgeflap[edge].astype(np.int64)
    unit = bending(at, sense(m.flex_edge[edge].astype(np.int64), flap, elements_of(m, flex))[one], flap[one], 1.0, 1.0)[0]
    return float(stored[stiffest] @ unit / (unit @ unit))


def set_elasticity(m: Model, flex: int, at: Reals, material: tuple[float, float, float], elastic2d: int) -> None:
    """Write the stiffness of elements and bends of a flex of dim 2 or 3, where it was zero.

    at: (nvert, 3) [m] its vertices at rest, anywhere. material: young [Pa], poisson [1], thickness [m]. elastic2d: the bits.
    """
    young, poisson, thickness = material
    dim, elem, edge = int(m.flex_dim[flex]), part_of(m, flex, "elem"), part_of(m, flex, "edge")
    mu, lam = lame(young, poisson)
    if m.flex_interp[flex] and (dim == 3 or elastic2d & 2):
        stiffness = node_stiffness(_box(m, flex), int(m.flex_interp[flex]), mu, lam)
        m.flex_stiffness[elem].reshape(-1)[: stiffness.size] = stiffness.ravel()
    elif dim == 3 or elastic2d & 2:
        m.flex_stiffness[elem] = stretching(at, elements_of(m, flex), mu, lam, thickness)
    if dim == 2 and elastic2d & 1:
        elements = elements_of(m, flex)
        flap = topology(elements).flap
        m.flex_edgeflap[edge] = flap
        m.flex_bending[edge] = bending(at, sense(m.flex_edge[edge].astype(np.int64), flap, elements), flap, mu, thickness)


def _box(m: Model, flex: int) -> Reals:
    """From the first node to the last [m]."""
    node = m.flex_node0[part_of(m, flex, "node")]
    return np.asarray(node[-1] - node[0])


def at_rest(m: Model, flex: int) -> Reals:
    """Where the vertices of a flex are at qpos0 [m], about the middle of the box around them."""
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

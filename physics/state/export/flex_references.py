"""Checks of the indices of flexes: see references.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.physics.state.declared import ModelBlock

Ints = NDArray[np.int64]

_EDGES = (0, 1, 3, 6)  # of an element, by its dimensions
_ORDERS = (0, 1, 2)  # of the interpolation between nodes
# What a flex has: where it begins, how many, and of what size.
_PARTS = (
    ("nodeadr", "nodenum", "nflexnode"), ("vertadr", "vertnum", "nflexvert"), ("edgeadr", "edgenum", "nflexedge"),
    ("elemadr", "elemnum", "nflexelem"), ("evpairadr", "evpairnum", "nflexevpair"), ("bvhadr", "bvhnum", "nbvh"),
)  # fmt: skip


def flex_strays(m: ModelBlock) -> Iterator[str]:
    """The fields of flexes that lead to what does not exist, each with what is wrong; none: all do."""
    for flex in range(m.nflex):
        yield from _flex(m, flex)
    rows = (("flexedge", "nJfe"), ("flexvert", "nJfv"))
    for name, size in rows if m.nflex else ():
        begin, count = (m._arrays[f"{name}_J_{part}"].astype(np.int64).ravel() for part in ("rowadr", "rownnz"))
        columns, end = m._arrays[f"{name}_J_colind"], getattr(m, size) * (2 if name == "flexvert" else 1)
        if not ((count >= 0) & ((count == 0) | ((begin >= 0) & (begin + count <= end)))).all():
            yield f"{name}_J_rowadr and {name}_J_rownnz lead beyond {size}={getattr(m, size)}"
        if not _within(columns, 0, max(1, m.nv)):
            yield f"{name}_J_colind leads beyond nv={m.nv}"


def _flex(m: ModelBlock, flex: int) -> Iterator[str]:
    def number(name: str) -> int:
        return int(m._arrays[f"flex_{name}"][flex])

    def part(name: str, begin: str, count: int) -> NDArray[np.int32]:
        first = number(begin)
        return m._arrays[f"flex_{name}"][first : first + count] if count else m._arrays[f"flex_{name}"][:0]

    dim = number("dim")
    if dim not in (1, 2, 3) or number("interp") not in _ORDERS:
        yield f"flex_dim or flex_interp of flex {flex} is unknown"
        return
    for begin, count, size in _PARTS:
        if number(count) < 0 or (number(count) and not 0 <= number(begin) <= getattr(m, size) - number(count)):
            yield f"flex_{begin} and flex_{count} lead beyond {size}={getattr(m, size)}"
            return
    elements, edges, vertices = number("elemnum"), number("edgenum"), number("vertnum")
    counts = {"elem": elements * (dim + 1), "elemedge": elements * _EDGES[dim], "shell": max(0, number("shellnum")) * dim}
    starts = {"elem": "elemdataadr", "elemedge": "elemedgeadr", "shell": "shelldataadr"}
    for name, total in counts.items():
        if total and not 0 <= number(starts[name]) <= len(m._arrays[f"flex_{name}"]) - total:
            yield f"flex_{starts[name]} leads beyond flex_{name}"
            return
    pairs = part("evpair", "evpairadr", number("evpairnum"))
    lead = (
        ("elem", part("elem", "elemdataadr", counts["elem"]), 0, vertices),
        ("elemedge", part("elemedge", "elemedgeadr", counts["elemedge"]), 0, edges),
        ("shell", part("shell", "shelldataadr", counts["shell"]), 0, vertices),
        ("edge", part("edge", "edgeadr", edges), 0, vertices),
        ("edgeflap", part("edgeflap", "edgeadr", edges), -1, vertices),
        ("evpair", pairs[:, 0], 0, elements),
        ("evpair", pairs[:, 1], 0, vertices),
        ("vertbodyid", part("vertbodyid", "vertadr", vertices), -1 if number("interp") else 0, m.nbody),
        ("nodebodyid", part("nodebodyid", "nodeadr", number("nodenum")), 0, m.nbody),
    )
    for name, values, low, end in lead:
        if not _within(values, low, end):
            yield f"flex_{name} of flex {flex} leads beyond {end}"
    nodes = slice(number("bvhadr"), number("bvhadr") + number("bvhnum")) if number("bvhnum") else slice(0)
    child, here = m._arrays["bvh_child"][nodes], np.arange(number("bvhnum"))[:, None]
    if ((child != -1) & ((child <= here) | (child >= number("bvhnum")))).any():
        yield f"bvh_child leads out of the tree of flex {flex}, or in a circle"
    if not _within(m._arrays["bvh_nodeid"][nodes], -1, elements):
        yield f"bvh_nodeid leads beyond the elements of flex {flex}"


def _within(values: NDArray[np.int32], low: int, end: int) -> bool:
    return bool(((values >= low) & (values < end)).all())

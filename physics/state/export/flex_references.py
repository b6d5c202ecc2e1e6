"""Checks that the indices of flexes refer to something that exists: of references.py."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tumble.physics.state.export.places import is_part, outside, wrong_at

if TYPE_CHECKING:
    from tumble.physics.state.declared import ModelBlock

_EDGES = (0, 1, 3, 6)  # of an element, by its dimensions
_ORDERS = (0, 1, 2)  # of the interpolation between nodes
# What a flex has: where it begins, how many, and of what size.
_FLEX_PARTS = (
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
        if at := wrong_at(f"{name}_J_rowadr", begin, ~is_part(begin, count, end)):
            yield f"{name}_J_rowadr and {name}_J_rownnz lead beyond {size}={getattr(m, size)}{at}"
        if at := outside(f"{name}_J_colind", columns, 0, max(1, m.nv)):
            yield f"{name}_J_colind leads beyond nv={m.nv}{at}"


def _flex(m: ModelBlock, flex: int) -> Iterator[str]:
    def number(name: str) -> int:
        return int(m._arrays[f"flex_{name}"][flex])

    def part(name: str, begin: str, count: int) -> NDArray[np.int32]:
        first = number(begin)
        return m._arrays[f"flex_{name}"][first : first + count] if count else m._arrays[f"flex_{name}"][:0]

    dim = number("dim")
    if dim not in (1, 2, 3) or number("interp") not in _ORDERS:
        yield f"flex_dim or flex_interp is unknown: flex_dim[{flex}] is {dim}, flex_interp[{flex}] is {number('interp')}"
        return
    for begin, count, size in _FLEX_PARTS:
        if number(count) < 0 or (number(count) and not 0 <= number(begin) <= getattr(m, size) - number(count)):
            where = f"flex_{begin}[{flex}] is {number(begin)}, with {number(count)}"
            yield f"flex_{begin} and flex_{count} lead beyond {size}={getattr(m, size)}: {where}"
            return
    elements, edges, vertices = number("elemnum"), number("edgenum"), number("vertnum")
    counts = {"elem": elements * (dim + 1), "elemedge": elements * _EDGES[dim], "shell": max(0, number("shellnum")) * dim}
    starts = {"elem": "elemdataadr", "elemedge": "elemedgeadr", "shell": "shelldataadr"}
    for name, total in counts.items():
        if total and not 0 <= number(starts[name]) <= len(m._arrays[f"flex_{name}"]) - total:
            yield f"flex_{starts[name]} leads beyond flex_{name}: flex_{starts[name]}[{flex}] is {number(starts[name])}"
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
        if at := outside(name, values, low, end):
            yield f"flex_{name} of flex {flex} leads beyond {end}{at}, counted from where those of the flex begin"
    nodes = slice(number("bvhadr"), number("bvhadr") + number("bvhnum")) if number("bvhnum") else slice(0)
    if at := outside("bvh_nodeid", m._arrays["bvh_nodeid"][nodes], -1, elements, nodes.start or 0):
        yield f"bvh_nodeid leads beyond the elements of flex {flex}{at}"
    if number("interp") and number("nodenum") != (number("interp") + 1) ** 3:
        yield f"flex_interp needs other nodes: flex_interp[{flex}] is {number('interp')}, with {number('nodenum')} nodes"
    yield from _edges_at_vertices(m, flex)


def _edges_at_vertices(m: ModelBlock, flex: int) -> Iterator[str]:
    """The edges listed for a vertex of a flex begin or end there."""
    part = slice(int(m.flex_vertadr[flex]), int(m.flex_vertadr[flex] + m.flex_vertnum[flex]))
    begin, count = m.flex_vertedgeadr[part].astype(np.int64), m.flex_vertedgenum[part].astype(np.int64)
    listed = m.flex_vertedge.reshape(-1)
    if at := wrong_at("flex_vertedgeadr", begin, ~is_part(begin, count, len(listed)), part.start):
        yield f"flex_vertedgeadr and flex_vertedgenum lead beyond flex_vertedge{at}"
        return
    places = np.repeat(begin - np.cumsum(count) + count, count) + np.arange(count.sum())
    vertex, edge = np.repeat(np.arange(len(count)), count), listed[places].astype(np.int64)
    if at := wrong_at("flex_vertedge", edge, (edge < 0) | (edge >= int(m.flex_edgenum[flex]))):
        yield f"flex_vertedge leads beyond the edges of flex {flex}{at}, counted from its first"
        return
    ends = m.flex_edge[int(m.flex_edgeadr[flex]) + edge]
    if at := wrong_at("flex_vertedge", edge, (ends != vertex[:, None]).all(1)):
        yield f"flex_vertedge leads to an edge elsewhere in flex {flex}{at}, counted from its first"

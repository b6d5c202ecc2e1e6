"""Contacts of a moment by pair: their totals, and which rows a table shows, pairs with their contacts below them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.panels.contacts.state import ContactState, RowState
from tumble.physics import ContactMode

Array = NDArray[Any]
Pair = tuple[int, int]

# Which of the modes of its contacts a pair is called by, the first that occurs.
_RANKS = (ContactMode.SLIP, ContactMode.STICK, ContactMode.SMOOTH, ContactMode.OPEN, ContactMode.ASLEEP)
_RANK_OF = np.array([_RANKS.index(mode) for mode in sorted(ContactMode)])


class PairTotals(Struct, frozen=True):
    """The pairs of a moment (n,), named as the columns of ContactState.

    normal, tangential: sums of the forces' sizes [N]; used, creep, sunk, dim: the largest; dist: the least [m]; mode: slip where
    one contact slips, else stick, smooth, open; alike (n,): how many are in that mode, of count (n,); lead (n,): the contact
    with the largest normal force; of (ncon,): the pair of each contact, -1 for those that are not found.
    """

    geom: Array
    soft: Array
    mode: Array
    alike: Array
    count: Array
    used: Array
    normal: Array
    tangential: Array
    creep: Array
    dist: Array
    sunk: Array
    dim: Array
    lead: Array
    of: Array

    def __len__(self) -> int:
        return len(self.count)


def sides(moment: ContactState | RowState | PairTotals) -> Array:
    """Sides of contacts (n,2): geom ids, or -1 - flex id."""
    result: Array = np.where(moment.geom >= 0, moment.geom, -1 - moment.soft[:, :, 0])
    return result


def pair_totals(state: ContactState, found: Array | None) -> PairTotals:
    """Totals of the pairs, in order of appearance, of the contacts found (a mask; None: of all)."""
    rows = np.arange(len(state)) if found is None else np.flatnonzero(found)
    of = np.full(len(state), -1)
    _, first, which = np.unique(sides(state)[rows], axis=0, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first))  # unique sorts by number
    of[rows] = place[which.ravel()]
    order = rows[np.argsort(of[rows], kind="stable")]
    starts = np.searchsorted(of[order], np.arange(len(first)))

    def over(operation: np.ufunc, values: Array) -> Array:
        return operation.reduceat(values, starts) if len(order) else np.asarray(values)[:0]

    head = order[starts] if len(order) else order
    soft = state.soft[head].copy()
    soft[:, :, 1:] = -1  # of a pair not which part of a flex
    rank = _RANK_OF[np.asarray(state.mode)[order]]
    least = over(np.minimum, rank)
    mode = np.array(_RANKS)[least]
    count = np.bincount(of[order], minlength=len(first))
    normal = np.asarray(state.normal)[order]
    hardest = np.lexsort((-normal, of[order]))[starts] if len(order) else order
    return PairTotals(
        state.geom[head], soft, mode, over(np.add, (rank == np.repeat(least, count)).astype(int)), count,
        over(np.maximum, state.used[order]), over(np.add, normal), over(np.add, state.tangential[order]),
        over(np.fmax, state.creep[order]), over(np.minimum, state.dist[order]), over(np.maximum, state.sunk[order]),
        over(np.maximum, state.dim[order]), order[hardest], of,
    )  # fmt: skip


def arrange_pairs(pairs: PairTotals, order: Array, pair_order: Array, opened: Collection[Pair]) -> Array:
    """Rows of a table: contacts by their number, pairs as -1 - their number; a pair with one contact is that contact.

    order: the contacts found, sorted; pair_order: all pairs, sorted; opened: pairs whose contacts are shown below them.
    """
    own = sides(pairs)
    of = pairs.of[order]
    entries: list[int] = []
    for pair in pair_order:
        if pairs.count[pair] == 1:
            entries.append(int(pairs.lead[pair]))
            continue
        entries.append(-1 - int(pair))
        if (int(own[pair, 0]), int(own[pair, 1])) in opened:
            entries += order[of == pair].tolist()
    return np.array(entries, int)

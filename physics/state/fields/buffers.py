"""Buffers that grow, each declared once: a capacity that shapes of fields name, how much it is at first, and how it grows.

The scalars of capacities and needs, the memory that data begin with, what a stage that lacks room can ask for, and what a
reset leaves alone follow from this table: see physics/state/data.py and physics/run/room.py. The kernel `is_short` in
physics/step/forward.py names the needs too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from msgspec import Struct

from tumble.physics.state.fields.field import Field

# Numbers by name: the sizes of a model, "sparse" (1: its Jacobian is), and where there are data, their scalars of this table.
Sizes = Mapping[str, int]

# What to begin with: most scenes never outgrow it, and it costs little memory.
_CONTACTS, _ROWS = 32, 96
_JACOBIAN = 2**20  # entries of the Jacobian beyond which rows are made room for as they come
_NONZEROS = 12  # entries of a sparse row to begin with: those of a contact between free bodies
_HESSIAN = 1000  # dofs beyond which the Newton solver's matrix is made when it is needed


class Growth(Struct, frozen=True):
    """Capacities of growing arrays.

    what, remedy: for the error if there is no memory: what there is no room for, and what would need less.
    capacities: by name the least, and more to spare where there is memory for it. exact: also where that is less than now.
    limit: the scalar that becomes the capacity there is, with a warning, where it can be done without so much.
    """

    what: str
    remedy: str
    capacities: Mapping[str, tuple[int, int]]
    exact: bool = False
    limit: str = ""


class Buffer(Struct, frozen=True):
    """One capacity.

    holds: the entries that it counts, in words. begin: how many at first. growth: what becomes of it and of others when so
    many are asked for; None: it does not grow by itself. need: the scalar in which a stage asks, asks: what that says.
    """

    capacity: str
    holds: str
    begin: Callable[[Sizes], int]
    growth: Callable[[Sizes, int], Growth] | None = None
    need: str = ""
    asks: str = ""

    def fields(self) -> tuple[Field, ...]:
        """The scalars of the data that belong to it."""
        capacity = Field(self.capacity, "i8", (), "1", f"{self.holds} there is room for")
        asks = self.asks or f"{self.holds} that did not fit: the capacity asked for, 0 when all is well"
        return (capacity, Field(self.need, "i8", (), "1", asks)) if self.need else (capacity,)


def _nothing(sizes: Sizes) -> int:
    return 0


def _first_rows(sizes: Sizes) -> int:
    nv = sizes["nv"]
    return max(_ROWS, 4 * nv if sizes["sparse"] else min(4 * nv, _JACOBIAN // max(1, nv)))


def _first_entries(sizes: Sizes) -> int:
    return _first_rows(sizes) * (_NONZEROS if sizes["sparse"] else sizes["nv"])


def _first_hessian(sizes: Sizes) -> int:
    return 0 if sizes["sparse"] or sizes["nv"] > _HESSIAN else sizes["nv"] ** 2


def _contacts(now: Sizes, need: int) -> Growth:
    remedy = "contype, conaffinity and <exclude> keep apart what need not collide"
    return Growth(f"{need} contacts", remedy, {"maxcon": (need, max(need, 2 * now["maxcon"]))})


def _rows(now: Sizes, need: int) -> Growth:
    """Rows, their Jacobian, and (where the dual is used) their matrix."""
    rows, nv, sparse = max(need, now["maxefc"] * 3 // 2), now["nv"], now["sparse"]
    dual = {"maxA": (need * need, rows * rows)} if now["maxA"] and not sparse else {}
    entries = (now["needJ"], now["needJ"] * 3 // 2) if sparse else (need * nv, rows * nv)
    remedy = "fewer or frictionless (condim) contacts need fewer rows, and so does cone elliptic"
    remedy += "; solver Newton or CG has no matrix efc_AR" if dual else ""
    return Growth(f"{need} constraint rows of {nv} dofs", remedy, {"maxJ": entries, "maxefc": (need, rows), **dual})


def _dual(now: Sizes, need: int) -> Growth:
    what = f"the matrix efc_AR of {math.isqrt(need)} constraint rows"
    return Growth(what, "solver Newton or CG has no such matrix", {"maxA": (need, max(need, now["maxA"] * 3 // 2))})


def _hessian(now: Sizes, need: int) -> Growth:
    wish = need * 3 // 2 if now["sparse"] else need  # the dense one never needs more
    return Growth(f"the Hessian of {now['nv']} dofs", "solver CG has no such matrix", {"maxH": (need, wish)})


def _island(now: Sizes, need: int) -> Growth:
    remedy = "jacobian dense has no such copy"
    return Growth("the Jacobian of an island", remedy, {"maxD": (need, need * 3 // 2)})


def _lcp(now: Sizes, need: int) -> Growth:
    wish = max(need, now["maxL"] * 3 // 2)
    return Growth(f"{need} entries of lcp_half", "fewer contacts need fewer", {"maxL": (need, wish)})


def _record(now: Sizes, need: int) -> Growth:
    size = min(now["record_limit"], max(need, need * 3 // 2))
    return Growth("more iterations of the solver to be recorded", "", {"maxR": (size, size)}, limit="record_limit")


def _threads(now: Sizes, need: int) -> Growth:
    remedy = "fewer (m.tumble.threads) need less"
    return Growth(f"{need} threads", remedy, {"maxlane": (need - 1, need - 1)}, exact=True)


# Room is made in this order.
BUFFERS = (
    Buffer("maxcon", "contacts", lambda sizes: _CONTACTS, _contacts, "needcon"),
    Buffer("maxefc", "constraint rows", _first_rows, _rows, "needefc"),
    Buffer("maxJ", "entries of efc_J", _first_entries),
    Buffer("maxA", "entries of efc_AR", _nothing, _dual, "needA"),
    Buffer("maxH", "entries of the Newton solver's matrix", _first_hessian, _hessian, "needH"),
    Buffer("maxD", "entries of a small island's dense Jacobian", _nothing, _island, "needD"),
    Buffer("maxL", "entries of lcp_half", _nothing, _lcp, "needL"),
    Buffer("maxR", "entries of record_numbers", _nothing, _record, "needR"),
    Buffer("maxS", "entries of record_start", _nothing),
    Buffer("maxisland", "islands", lambda sizes: sizes["ntree"]),
    Buffer("maxlane", "working memories of threads beyond the first that solve islands", _nothing, _threads, "needlane",
           "threads that the islands should be solved by; 0 when there are so many"),
)  # fmt: skip

BY_CAPACITY = {buffer.capacity: buffer for buffer in BUFFERS}
CAPACITY = tuple(scalar for buffer in BUFFERS for scalar in buffer.fields())

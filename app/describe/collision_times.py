"""Words for the time of a collision: how much the phases take, and the pairs of geoms by their types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tumble.app.describe.collision import SHAPES

if TYPE_CHECKING:
    from tumble.physics import CollisionTimes, MjModel, PairTime

DASH = "\N{EN DASH}"
MICRO = "\N{MICRO SIGN}s"


@dataclass(frozen=True, slots=True)
class TimeRow:
    """A row of the table. pair: geoms as in the contact; None: all pairs of two types, which are the rows below."""

    label: str
    contacts: int
    seconds: float
    pair: tuple[int, int] | None = None
    below: tuple[TimeRow, ...] = ()


def time_rows(model: MjModel, names: Sequence[str], times: CollisionTimes) -> list[TimeRow]:
    """The pairs by types, and below by geoms, each the most expensive first. names: of the geoms."""
    pairs = sorted(times.pairs, key=lambda pair: -pair.seconds)
    types = model.geom_type
    rows = []
    for kind in times.by_type(model):
        below = tuple(
            _row_of(pair, names) for pair in pairs if (types[pair.geom1], types[pair.geom2]) == (kind.type1, kind.type2)
        )
        label = f"{SHAPES[kind.type1]} {DASH} {SHAPES[kind.type2]}, {kind.pairs}\N{MULTIPLICATION SIGN}"
        rows.append(TimeRow(label, kind.contacts, kind.seconds, below=below))
    return rows


def _row_of(pair: PairTime, names: Sequence[str]) -> TimeRow:
    label = f"{names[pair.geom1]} {DASH} {names[pair.geom2]}"
    return TimeRow(label, pair.contacts, pair.seconds, (pair.geom1, pair.geom2))


def time_summary(times: CollisionTimes) -> str:
    """Two sentences on where collision detection spends its time."""
    if not times.pairs:
        return f"{times.seen} pairs seen, none near enough to be tested. A collision takes {microseconds(times.whole)} {MICRO}."
    phases = {"broad phase": times.broad, "middle phase": times.middle, "pairs": times.narrow, "the rest": times.rest}
    parts = ", ".join(f"{name} {microseconds(seconds)}" for name, seconds in phases.items() if seconds > 0)
    return (
        f"A collision takes {microseconds(times.whole)} {MICRO}: {parts}. "
        f"{times.seen} pairs were seen, {len(times.pairs)} near enough to be tested."
    )


def microseconds(seconds: float) -> str:
    """A time in microseconds, to three digits."""
    return f"{1e6 * seconds:#.3g}".rstrip(".") if seconds < 1e-3 else f"{1e6 * seconds:.0f}"

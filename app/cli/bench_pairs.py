"""`tumble bench --pairs`: where the time of a collision goes, by pair of types and by pair of geoms."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.cli.answer import show, tell
from tumble.app.cli.common import progress_of, table

if TYPE_CHECKING:
    from tumble.physics import CollisionTimes, MjData, MjModel

MOST = 20  # pairs of geoms that are listed; --json has all


def show_pairs(model: MjModel, data: MjData, options: argparse.Namespace) -> None:
    """Measure, and print tables."""
    with progress_of("Measuring pairs", options) as progress:
        times = physics.collision_times(model, data, lambda done: progress.update(round(100 * done), 100))
    for line in _lines(model, times):
        show(line, options)
    tell(options, **_plain(model, times))


def _lines(model: MjModel, times: CollisionTimes) -> list[str]:
    contacts = sum(pair.contacts for pair in times.pairs)
    return [
        f"collision: {times.seen} pairs seen, {len(times.pairs)} tested, {contacts} contacts, {1e6 * times.whole:.2f} us",
        *table(["phase", "us", "%"], [
            [name, *_cost(seconds, times.whole)] for name, seconds in _phases(times).items()
            if seconds > 0 or name in ("narrow", "rest")  # few pairs are listed: neither broad nor middle phase
        ]),
        "",
        *table(["types", "tested", "contacts", "us each", "us", "%"], [
            [f"{_kind(kind.type1)} - {_kind(kind.type2)}", str(kind.pairs), str(kind.contacts),
             f"{1e6 * kind.seconds / kind.pairs:.2f}", *_cost(kind.seconds, times.whole)]
            for kind in times.by_type(model)
        ]),
        "",
        *table(["geoms", "contacts", "us", "%"], [
            [f"{_geom(model, pair.geom1)} - {_geom(model, pair.geom2)}", str(pair.contacts), *_cost(pair.seconds, times.whole)]
            for pair in sorted(times.pairs, key=lambda pair: -pair.seconds)[:MOST]
        ]),
        *([f"and {len(times.pairs) - MOST} more: --json lists all"] if len(times.pairs) > MOST else []),
    ]  # fmt: skip


def _phases(times: CollisionTimes) -> dict[str, float]:
    return {"broad": times.broad, "middle": times.middle, "narrow": times.narrow, "rest": times.rest}


def _cost(seconds: float, whole: float) -> list[str]:
    return [f"{1e6 * seconds:.2f}", f"{100 * seconds / whole:.1f}"]


def _kind(kind: physics.mjtGeom) -> str:
    return kind.name.removeprefix("mjGEOM_").lower()


def _geom(model: MjModel, geom: int) -> str:
    return physics.mj_id2name(model, physics.mjtObj.mjOBJ_GEOM, geom) or f"geom {geom}"


def _plain(model: MjModel, times: CollisionTimes) -> dict[str, object]:
    """Everything measured, times in microseconds."""
    return {
        "us": 1e6 * times.whole,
        "seen": times.seen,
        "phases": {name: 1e6 * seconds for name, seconds in _phases(times).items()},
        "types": [
            {"types": [_kind(kind.type1), _kind(kind.type2)], "tested": kind.pairs, "contacts": kind.contacts,
             "us": 1e6 * kind.seconds} for kind in times.by_type(model)
        ],
        "pairs": [
            {"geoms": [pair.geom1, pair.geom2], "names": [_geom(model, pair.geom1), _geom(model, pair.geom2)],
             "contacts": pair.contacts, "us": 1e6 * pair.seconds} for pair in times.pairs
        ],
    }  # fmt: skip

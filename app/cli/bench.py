"""`tumble bench`: how fast a model runs, and in which part of a step the time goes."""

from __future__ import annotations

import argparse
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.cli.common import (
    FINE,
    Grammar,
    add_model,
    add_start,
    begin,
    load,
    parser_for,
    positive,
    progress_of,
    stoppable,
    table,
)
from tumble.app.cli.output import show, tell
from tumble.app.describe.names import counts, name_of
from tumble.physics.state.constants import mjMAXTHREAD

if TYPE_CHECKING:
    from tumble.physics import CollisionTimes, MjData, MjModel

CHUNKS = 20  # their spread shows how noisy the machine is
SETTLE = 0.5  # simulated time before measuring [s]: a model begins with fewer contacts than it soon has


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for("bench", "Measure how fast a model runs on this machine, by stage.", "bench model.xml --wall 5")
    add_model(grammar)
    add_start(grammar)
    grammar.add_argument("--wall", type=positive, default=3.0, metavar="S", help="wall time to measure (default 3)")
    grammar.add_argument("--pairs", action="store_true", help="collision time by pair of geom types and by pair of geoms instead")
    grammar.add_argument("--threads", type=int, choices=range(1, mjMAXTHREAD + 1), metavar="N", help="threads that solve islands")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Measure; the exit code."""
    model = load(options.model, options)
    if options.threads is not None:
        model.tumble.threads = options.threads
        physics.prepare(model)
    data = begin(model, options)
    h = float(model.opt.timestep)
    physics.mj_step(model, data, max(1, round(SETTLE / h)))
    if options.pairs:
        _show_pairs(model, data, options)
        return FINE
    number, times = _measure(model, data, options)
    step = float(np.median(times)) / number
    low, high = (float(np.quantile(times, q)) / number for q in (0.1, 0.9))
    size = ", ".join(counts(model, "v", "body"))
    show(f"{options.model.name}: {size}, {data.ncon} contacts and {data.nefc} rows at the end", options)
    show(f"{1e6 * step:.2f} us per step ({1e6 * low:.2f} to {1e6 * high:.2f}), {1 / step:.0f} steps per second, "
         f"{h / step:.1f} x real time at a time step of {h:g} s", options)  # fmt: skip
    stages = _stages(data)
    rows = [[name, f"{each:.2f}", f"{100 * share:.1f}"] for name, each, share in stages]
    for line in table(["stage", "us", "% of step"], rows) if rows else []:
        show(line, options)
    tell(options, us=1e6 * step, us_low=1e6 * low, us_high=1e6 * high, steps_per_second=1 / step, timestep=h,
         real_time=h / step, contacts=int(data.ncon), rows=int(data.nefc),
         stages=[{"stage": name, "us": each, "share": share} for name, each, share in stages])  # fmt: skip
    return FINE


def _measure(model: MjModel, data: MjData, options: argparse.Namespace) -> tuple[int, list[float]]:
    """Steps of a chunk, and the wall time of each [s]; the timers of the data then hold the whole measurement."""
    start = perf_counter()
    physics.mj_step(model, data, 10)
    number = max(1, round(options.wall / CHUNKS / ((perf_counter() - start) / 10)))
    data.timer.duration[:], data.timer.number[:] = 0, 0
    times: list[float] = []
    with stoppable() as stop, progress_of("Measuring", options) as progress:
        while len(times) < CHUNKS and not (stop() and times):
            start = perf_counter()
            physics.mj_step(model, data, number)
            times.append(perf_counter() - start)
            progress.update(len(times), CHUNKS)
    return number, times


def _stages(data: MjData) -> list[tuple[str, float, float]]:
    """Time by stage [us] and its share of a step, of those that ran."""
    duration, number = np.asarray(data.timer.duration), np.asarray(data.timer.number)
    step = float(duration[physics.mjtTimer.mjTIMER_STEP])
    rows = []
    for kind in physics.mjtTimer:
        if int(kind) < len(number) and number[kind]:
            each = 1e6 * duration[kind] / number[kind]
            rows.append((kind.name.removeprefix("mjTIMER_").lower(), each, float(duration[kind]) / max(step, 1e-12)))
    return rows


MOST = 20  # pairs of geoms that are listed; --json has all


def _show_pairs(model: MjModel, data: MjData, options: argparse.Namespace) -> None:
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
    return name_of(model, physics.mjtObj.mjOBJ_GEOM, geom)


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

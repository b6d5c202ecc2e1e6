"""`tumble simulate`: run a model without a window, and write numbers to a CSV file, and a replay."""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.base import files
from tumble.app.cli.common import (
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    InputError,
    add_model,
    add_start,
    begin,
    count,
    load_compiled,
    parser_for,
    progress_of,
    seconds,
    stoppable,
    warnings_of,
)
from tumble.app.cli.output import say, tell, warn
from tumble.app.describe.signals import Catalogue, Signal, SignalError
from tumble.app.replay.replay_file import Replay, save
from tumble.app.replay.tape import Tape

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

CHECK_EVERY = 250  # steps between two states that a replay is compared with
BATCH = 0.05  # wall time between two looks at Ctrl+C and the progress [s], about


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "simulate",
        "Run a model without a window. Each row of the CSV is the state after a step; as in MuJoCo, what is computed on the\n"
        "way (sensordata, xpos, contact forces) belongs to the state in which that step began.",
        "simulate model.xml --seconds 10 --csv out.csv --fields qpos,sensordata",
    )
    add_model(grammar)
    grammar.add_argument("--seconds", type=seconds, default=10.0, metavar="S", help="simulated time (default 10)")
    add_start(grammar)
    grammar.add_argument("--csv", metavar="FILE", help="write numbers, one row per step; - is the standard output")
    grammar.add_argument("--fields", default="qpos,qvel", metavar="A,B", help="qpos, xpos[torso,z], ... (default qpos,qvel)")
    grammar.add_argument("--every", type=count, default=1, metavar="N", help="a row only every N steps (default 1)")
    grammar.add_argument("--record", type=Path, metavar="FILE", help="write a replay (*.tumble), for tumble render and check")
    return grammar


def run(options: argparse.Namespace) -> int:
    """Simulate; the exit code."""
    if options.json and options.csv == "-":
        raise InputError("--csv -: the standard output is the object's that --json asks for; name a file")
    if options.record is not None:
        files.require_writable(options.record)
    compiled = load_compiled(options.model, options)
    model = compiled.model
    data = begin(model, options)
    signals = _signals(model, options.fields)
    tape = None if options.record is None else Tape(model, data, sys.maxsize, CHECK_EVERY)
    steps = round(options.seconds / float(model.opt.timestep))
    start = perf_counter()
    with _rows(options.csv, [name for signal in signals for name in _names(model, signal)]) as write, stoppable() as stop:
        done = _run(model, data, steps, options, tape, lambda: write([data.time, *_values(signals, model, data)]), stop)
    used = perf_counter() - start
    if tape is not None and done:
        save(Replay(compiled.bundle, tape.timeline()), options.record)
    simulated = done * float(model.opt.timestep)
    say(f"{done} steps, {simulated:.6g} s simulated in {used:.2f} s: {simulated / max(used, 1e-9):.3g} x real time", options)
    lines = warnings_of(model, data, float(data.time))
    warn(lines, options)
    tell(options, steps=done, simulated_seconds=simulated, wall_seconds=used, time=float(data.time), csv=options.csv,
         replay=options.record if tape is not None and done else None)  # fmt: skip
    return STOPPED if done < steps else PROBLEMS if lines else FINE


def _run(
    model: MjModel, data: MjData, steps: int, options: argparse.Namespace, tape: Tape | None, row: Callable[[], None],
    stop: Callable[[], bool],
) -> int:
    """Take the steps; returns the number taken before Ctrl+C."""
    batch, done = (1 if options.csv is None else options.every), 0
    with progress_of("Simulating", options) as progress:
        while done < steps and not stop():
            begun = perf_counter()
            part = min(batch, steps - done)
            physics.mj_step(model, data, part)
            if tape is not None:
                tape.took(part)
            done += part
            if options.csv is not None and done % options.every == 0:
                row()
            if options.csv is None:  # as many in one call as keep it responsive
                batch = max(1, min(100_000, round(batch * BATCH / max(perf_counter() - begun, 1e-6))))
            progress.update(done, steps)
    return done


def _signals(model: MjModel, text: str) -> list[Signal]:
    """The requested fields, of constant length. Raises InputError."""
    catalogue = Catalogue(model)
    signals = []
    for name in filter(None, map(str.strip, re.split(r",(?![^[]*\])", text))):  # not at commas in brackets
        head, _, rest = name.partition("[")
        try:
            signal = catalogue.find(head, [part.strip() for part in rest.rstrip("]").split(",")] if rest else [])
        except SignalError as error:
            raise InputError(f"--fields: {error}") from error
        if signal.count < 0:
            raise InputError(f"--fields: {name} has another number of rows at every step; say which, as {head}[0]")
        if signal.name != "time":  # the first column anyway
            signals.append(signal)
    return signals


def _names(model: MjModel, signal: Signal) -> list[str]:
    """A column for each number of a signal, named as in the Signals panel."""
    catalogue = Catalogue(model)
    info = catalogue.field_of(signal)
    if info.field.shape == ():
        return [signal.name]
    end = signal.start + signal.count
    rows = range(signal.start // info.width, -(-end // info.width))
    every = [single.name for row in rows for single in catalogue.of_row(info, row)]
    first = signal.start % info.width
    return every[first : first + signal.count]


def _values(signals: list[Signal], model: MjModel, data: MjData) -> Iterator[float]:
    for signal in signals:
        yield from np.atleast_1d(signal.read(model, data)).tolist()


@contextmanager
def _rows(name: str | None, columns: list[str]) -> Iterator[Callable[[list[float]], None]]:
    """A function that writes a row. The file gets its name at the end, also after Ctrl+C. Raises FileError."""
    if name is None:
        yield lambda row: None
        return
    with nullcontext(sys.stdout) if name == "-" else files.text_file(Path(name)) as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["time", *columns])
        yield writer.writerow

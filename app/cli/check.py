"""`tumble check`: does a model compile and run, and is it too stiff for its time step; does a replay still run the same."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.base.log_relay import unlogged
from tumble.app.cli.answer import fault, show, tell
from tumble.app.cli.common import (
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    add_model,
    add_start,
    begin,
    load,
    parser_for,
    progress_of,
    seconds,
    stoppable,
    table,
    told_to,
)
from tumble.app.describe.names import counts
from tumble.app.describe.numbers import step_moment
from tumble.app.editing.findings import instability, problems_of
from tumble.app.editing.stiffness import Servo, StiffnessWatch, servos
from tumble.app.library import unpack
from tumble.app.replay.player import Player, stray_text
from tumble.app.replay.replay_file import SUFFIX
from tumble.app.replay.replay_file import load as read_replay

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

LISTED = 8  # elements of one finding


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "check",
        "Compile a model, run it for a second, and report problems: the engine's warnings by element, constraints and servos\n"
        "that are stiff for the time step (share of stability: 1 explodes, from 0.25 on the step is coarse), contacts\n"
        "that rest too deep for the size of their geoms, with the likely cause, and a solver that ends at its limit; which\n"
        "integrators would be stable where the model's own is not. Oddities of a file that still loads are noted.\n"
        "Of a replay (*.tumble): whether it reproduces the recorded states.",
        "check model.xml",
    )
    add_model(grammar, ", or replay (*.tumble)")
    grammar.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="simulated time (default 1)")
    add_start(grammar)
    return grammar


def run(options: argparse.Namespace) -> int:
    """Check; the exit code."""
    if options.model.suffix.lower() == SUFFIX:
        return _check_replay(options)
    with unlogged("tumble.physics.model"):
        model = load(options.model, options)
    data = begin(model, options)
    physics.mj_forward(model, data)
    own = servos(model, data)
    unstable = instability(model, data)
    watch, stopped = _watch(model, data, options)
    problems = [finding.text for finding in (*problems_of(model, data, watch, own), *unstable)]
    for line in _report(unpack.as_named(options.model), model, watch, own):
        show(line, options)
    for note in model.notes:
        show(f"note: {note}", options)
    for line in problems:
        show(f"problem: {line}", options)
    show(f"{len(problems)} problem{'' if len(problems) == 1 else 's'} found" if problems else "no problems found", options)
    tell(options, problems=problems, notes=[fault(note) for note in model.notes], **_facts(model, watch, own))
    return STOPPED if stopped else PROBLEMS if problems else FINE


def _watch(model: MjModel, data: MjData, options: argparse.Namespace) -> tuple[StiffnessWatch, bool]:
    watch = StiffnessWatch(round(options.seconds / float(model.opt.timestep)))
    watch.resting.begin(data)
    with stoppable() as stop, progress_of("Checking", options) as progress:
        while watch.steps < watch.length and not stop():
            physics.mj_step(model, data)
            watch.look(model, data)
            progress.update(watch.steps, watch.length)
    return watch, watch.steps < watch.length


def _report(path: Path, model: MjModel, watch: StiffnessWatch, own: list[Servo]) -> list[str]:
    """The findings, in tables."""
    h = float(model.opt.timestep)
    solver = ("PGS", "CG", "Newton")[int(model.opt.solver)]
    lines = [
        f"{path}: {', '.join(counts(model, 'body', 'jnt', 'v', 'geom', 'u'))}",
        f"{watch.steps} steps of {h:g} s: at most {watch.contacts} contacts, {watch.rows} constraint rows; {solver} "
        f"{watch.mean_iterations:.1f} iterations per step, at most {watch.most_iterations} of {model.opt.iterations}",
    ]
    if watch.groups:
        rows = [[kind, str(g.rows), _time(g.constant), f"{g.share:.3f}", f"{g.depth:.3g}", g.deepest or g.stiffest]
                for kind, g in watch.groups.items()]  # fmt: skip
        head = ["constraint", "rows", "time constant", "share", "deepest [m, rad]", "where"]
        lines += ["", *table(head, rows)]
    if own:
        rows = [[s.name, f"{s.stiffness:.4g}", f"{s.damping:.4g}", f"{s.inertia:.3g}", f"{s.share:.3f}"] for s in own[:LISTED]]
        lines += ["", *table(["servo or spring", "stiffness", "damping", "inertia", "share"], rows)]
        lines += [f"... and {len(own) - LISTED} less stiff"] if len(own) > LISTED else []
    return [*lines, ""]


def _facts(model: MjModel, watch: StiffnessWatch, own: list[Servo]) -> dict[str, object]:
    """The same findings, for programs: times in seconds, depths in m or rad."""
    return {
        "steps": watch.steps, "timestep": float(model.opt.timestep), "contacts": watch.contacts, "rows": watch.rows,
        "mean_iterations": watch.mean_iterations, "most_iterations": watch.most_iterations,
        "constraints": [
            {"kind": kind, "rows": g.rows, "time_constant": g.constant, "share": g.share,
             "depth": g.depth, "where": g.deepest or g.stiffest}
            for kind, g in watch.groups.items()
        ],
        "servos": [
            {"name": s.name, "stiffness": s.stiffness, "damping": s.damping, "inertia": s.inertia, "share": s.share} for s in own
        ],
    }  # fmt: skip


def _time(value: float) -> str:
    return f"{1e3 * value:.3g} ms" if math.isfinite(value) else "-"


def _check_replay(options: argparse.Namespace) -> int:
    """Run a replay and compare with the digests that it has of its states."""
    path = options.model
    replay = read_replay(path)
    with progress_of("Compiling kernels", options) as progress:
        player = Player(replay, told_to(progress))
    with stoppable() as stop, progress_of("Replaying", options) as progress:
        while player.ready() and not player.strayed:
            if stop():
                return STOPPED
            player.step()
            progress.update(player.now, replay.timeline.steps)
    tell(options, steps=player.now, checked=player.checked, strayed=player.strayed or None)
    if player.strayed:
        show(f"{path}: {stray_text(player)}", options)
        return PROBLEMS
    time = float(player.data.time)
    end = step_moment(time, float(player.model.opt.timestep))
    show(f"{path}: {player.now} steps to {end}, the same states at all {player.checked} that were recorded", options)
    return FINE

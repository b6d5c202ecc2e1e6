"""`tumble check`: what is wrong with models, by the doctor's rules; whether a replay still runs the same."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tumble.app.base import files
from tumble.app.base.log_relay import unlogged
from tumble.app.cli.answer import plain, show, tell
from tumble.app.cli.common import (
    BAD_INPUT,
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    InputError,
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
from tumble.app.doctor import report
from tumble.app.doctor.case import Examination
from tumble.app.doctor.examine import examine
from tumble.app.doctor.finding import Severity
from tumble.app.editing.stiffness import Servo, StiffnessWatch
from tumble.app.library import unpack
from tumble.app.replay.player import Player, stray_text
from tumble.app.replay.replay_file import SUFFIX
from tumble.app.replay.replay_file import load as read_replay
from tumble.app.session.loader import LoadError, without_text

if TYPE_CHECKING:
    from tumble.physics import MjModel

LISTED = 8  # servos of a table
_SEVERITIES = [severity.value for severity in Severity]


class CheckStopped(Exception):
    """The user wants the end."""


def parser() -> Grammar:
    """The command's grammar."""
    made = parser_for(
        "check",
        "Examine models by the rules of the doctor: their files, their initial states and keyframes, and a run of a second.\n"
        "Each finding has a severity (error: the run fails or its result is wrong; warning: it is doubtful; advice: there is\n"
        "a better way), the rule, the cause with its numbers, the effect, and its line in the file. docs/doctor.md explains the\n"
        "rules. A file silences rules by <custom><text name=\"doctor_silence\" data=\"sink no-range\"/></custom>.\n"
        "Of a replay (*.tumble): whether it runs to the same states again.",
        "check model.xml",
    )
    add_model(made, ", or replay (*.tumble)", several=True)
    made.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="simulated time (default 1)")
    made.add_argument("--fail-on", choices=_SEVERITIES, default="warning", help="least severity for exit code 1 (warning)")
    made.add_argument("--sarif", type=Path, metavar="FILE", help="write the findings in the format SARIF 2.1.0 too")
    made.add_argument("--baseline", type=Path, metavar="FILE", help="output of an earlier --json: what it has is not reported")
    add_start(made)
    return made


def run(options: argparse.Namespace) -> int:
    """Check; the exit code, the worst of several files."""
    known = set() if options.baseline is None else _known(options.baseline)
    entries: list[dict[str, Any]] = []
    models: list[dict[str, object]] = []
    worst = FINE
    for path in options.model:
        try:
            if path.suffix.lower() == SUFFIX:
                code = _check_replay(path, options)
            else:
                code = _check_model(path, options, known, entries, models)
        except CheckStopped:
            worst = STOPPED
            break
        except LoadError as error:
            if len(options.model) == 1:
                raise
            show(f"error: {error}", options)
            entries.append(_unread(path, error))
            code = BAD_INPUT
        worst = max(worst, code)
    if models or entries:
        tell(options, findings=entries, models=models)
    if options.sarif is not None:
        files.write_whole(options.sarif, json.dumps(plain(report.as_sarif(entries)), indent=1).encode())
    return worst


def _check_model(
    path: Path, options: argparse.Namespace, known: set[Any], entries: list[dict[str, Any]], models: list[dict[str, object]]
) -> int:
    with unlogged("tumble.physics.model"):
        model = load(path, options)
    case = Examination(model, None if without_text(path) else path, begin(model, options), options.seconds)
    with stoppable() as stop, progress_of("Checking", options) as progress:

        def going(done: int, steps: int) -> None:
            if stop():
                raise CheckStopped
            progress.update(done, steps)

        found = examine(case, going)
    pairs = [(finding, report.as_json(finding, model, path)) for finding in found]
    pairs = [(finding, entry) for finding, entry in pairs if report.key_of(entry) not in known]
    findings = [finding for finding, _ in pairs]
    tables = _tables(unpack.as_named(path), model, case.watch, case.servos)
    for line in (*tables, *report.lines_of(findings), report.summary(findings)):
        show(line, options)
    entries += [entry for _, entry in pairs]
    models.append({"model": path, **_facts(model, case.watch, case.servos)})
    failing = _SEVERITIES[: _SEVERITIES.index(options.fail_on) + 1]
    return PROBLEMS if any(finding.severity.value in failing for finding in findings) else FINE


def _known(path: Path) -> set[Any]:
    """Findings of an earlier report. Raises InputError."""
    try:
        said: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        return {report.key_of(entry) for entry in said["findings"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"--baseline {path}: not the output of tumble check --json ({error})") from error


def _unread(path: Path, error: LoadError) -> dict[str, Any]:
    """The entry of a file that does not load."""
    return {"rule": "load", "severity": Severity.ERROR.value, "elements": [], "file": str(path), "line": None, "time": None,
            "evidence": {}, "cause": str(error), "effect": "The model does not load.", "change": None}  # fmt: skip


def _tables(path: Path, model: MjModel, watch: StiffnessWatch, own: list[Servo]) -> list[str]:
    """Figures of the run, in tables."""
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
    """The same figures, for programs: times in seconds, depths in m or rad."""
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


def _check_replay(path: Path, options: argparse.Namespace) -> int:
    """Run a replay and compare with the digests that it has of its states."""
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

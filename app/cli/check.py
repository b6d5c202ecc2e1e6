"""`tumble check`: what is wrong with models, by the doctor's rules; whether a replay still runs the same."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tumble.app.base import files
from tumble.app.cli import check_pool
from tumble.app.cli.answer import keep_apart, plain, show, tell
from tumble.app.cli.check_model import SEVERITIES, CheckedModel, CheckStopped, Known, check_model, unread
from tumble.app.cli.common import (
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    InputError,
    add_model,
    add_start,
    count,
    parser_for,
    progress_of,
    seconds,
    stoppable,
    told_to,
)
from tumble.app.describe.numbers import step_moment
from tumble.app.doctor import report
from tumble.app.doctor.html_report import ModelSection, html_report
from tumble.app.library import unpack
from tumble.app.library.text import may_be_model
from tumble.app.replay.replay_file import SUFFIX, Player, stray_text
from tumble.app.replay.replay_file import load as read_replay
from tumble.app.session.loader import LoadError


def parser() -> Grammar:
    """The command's grammar."""
    made = parser_for(
        "check",
        "Examine models by the rules of the doctor: their files, their initial states and keyframes, and a run of a second.\n"
        "Each finding has a severity (error: the run fails or its result is wrong; warning: it is doubtful; advice: there is\n"
        "a better way), the rule, the cause with its numbers, the effect, and its line in the file. docs/doctor.md explains the\n"
        "rules. A comment <!-- doctor: silence sink no-range --> in a file silences rules.\n"
        "Of a folder: the models in it that no other includes. Of a replay (*.tumble): whether it runs to the same states again.",
        "check model.xml",
    )
    add_model(made, ", folder of models, or replay (*.tumble)", several=True)
    made.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="simulated time (default 1)")
    made.add_argument("--fail-on", choices=SEVERITIES, default="warning", help="least severity for exit code 1 (warning)")
    made.add_argument("--prove", action="store_true", help="run the changes that have a prediction, and drop what does not hold")
    made.add_argument("--fix", action="store_true", help="write the changes that are proven into the files, and check again")
    made.add_argument("--dry-run", action="store_true", help="with --fix: show the changes, write nothing")
    made.add_argument("--html", type=Path, metavar="FILE", help="write the findings as one HTML file with pictures too")
    made.add_argument("--sarif", type=Path, metavar="FILE", help="write the findings in the format SARIF 2.1.0 too")
    made.add_argument("--baseline", type=Path, metavar="FILE", help="output of an earlier --json: what it has is not reported")
    made.add_argument("--jobs", type=count, metavar="N", help="processes for several models (default: as many as cores)")
    made.add_argument("--models-only", action="store_true", help="skip files that are no models: no <mujoco> or <robot> as root")
    made.add_argument("--answer-lines", action="store_true", help=argparse.SUPPRESS)  # a process of check_pool
    add_start(made)
    return made


def run(options: argparse.Namespace) -> int:
    """Check; the exit code, the worst of several files."""
    known: Known = frozenset() if options.baseline is None else _known(options.baseline)
    if options.dry_run and not options.fix:
        raise InputError("--dry-run is for --fix: it shows the changes that would be written")
    if options.answer_lines:
        check_pool.answer_lines(options, keep_apart(), lambda path: _checked_or_not(path, options, known))
        return FINE
    if options.models_only:
        options.model = [path for path in options.model if may_be_model(path)]
    results: list[CheckedModel] = []
    worst = FINE
    try:
        for result in _results(options, known):
            worst = max(worst, result.code)
            results.append(result)
            for line in result.lines:
                show(line, options)
    except CheckStopped:
        worst = STOPPED
    models = [result for result in results if Path(result.path).suffix.lower() != SUFFIX]
    entries = [entry for result in models for entry in result.entries]
    if models or not results:
        tell(options, findings=entries, models=[result.facts for result in models if result.facts])
    if options.sarif is not None:
        files.write_whole(options.sarif, json.dumps(plain(report.as_sarif(entries)), indent=1).encode())
    if options.html is not None:
        files.write_whole(options.html, _html(models).encode())
    return worst


def _results(options: argparse.Namespace, known: Known) -> Iterator[CheckedModel]:
    """Results of the models and replays in their order. Raises LoadError of a single one, CheckStopped."""
    paths: Sequence[Path] = options.model
    if len(paths) == 1:
        yield _check(paths[0], options, known)
        return
    jobs = 1 if options.fix else check_pool.processes(options.jobs, len(paths))  # models may share the files that are written
    if jobs == 1:
        for path in paths:
            yield _checked_or_not(path, options, known)
        return
    models = [path for path in paths if path.suffix.lower() != SUFFIX]
    with stoppable() as stop, progress_of("Checking", options) as progress:
        checked = check_pool.check_in_processes(models, options, jobs, stop, progress.update)
        for path in paths:
            yield _checked_or_not(path, options, known) if path.suffix.lower() == SUFFIX else next(checked)


def _check(path: Path, options: argparse.Namespace, known: Known) -> CheckedModel:
    return _check_replay(path, options) if path.suffix.lower() == SUFFIX else check_model(path, options, known)


def _checked_or_not(path: Path, options: argparse.Namespace, known: Known) -> CheckedModel:
    try:
        return _check(path, options, known)
    except LoadError as error:
        return unread(path, unpack.in_words(str(error)))


def _known(path: Path) -> Known:
    """Findings of an earlier report. Raises InputError."""
    try:
        earlier: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        return frozenset(report.key_of(entry) for entry in earlier["findings"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"--baseline {path}: not the output of tumble check --json ({error})") from error


def _html(models: Sequence[CheckedModel]) -> str:
    sections = [
        ModelSection(str(unpack.as_named(Path(one.path))), one.entries, one.pictures, one.figures, one.fixed, one.diff)
        for one in models
    ]
    return html_report(sections, next((one.no_pictures for one in models if one.no_pictures), ""))


def _check_replay(path: Path, options: argparse.Namespace) -> CheckedModel:
    """Run a replay and compare with the digests that it has of its states."""
    replay = read_replay(path)
    with progress_of("Compiling kernels", options) as progress:
        player = Player(replay, told_to(progress))
    with stoppable() as stop, progress_of("Replaying", options) as progress:
        while player.ready() and not player.strayed:
            if stop():
                raise CheckStopped
            player.step()
            progress.update(player.now, replay.timeline.steps)
    tell(options, steps=player.now, checked=player.checked, strayed=player.strayed or None)
    if player.strayed:
        return CheckedModel(str(path), PROBLEMS, [f"{path}: {stray_text(player)}"], [], [])
    time = float(player.data.time)
    end = step_moment(time, float(player.model.opt.timestep))
    text = f"{path}: {player.now} steps to {end}, the same states at all {player.checked} that were recorded"
    return CheckedModel(str(path), FINE, [text], [], [])

"""`tumble check`: what is wrong with models, by the doctor's rules; whether a replay still runs the same."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TextIO

import msgspec

from tumble import ROOT, command_line
from tumble.app.base import files
from tumble.app.cli.check_model import SEVERITIES, CheckedModel, CheckStopped, Known, check_model, unread
from tumble.app.cli.common import (
    FINE,
    PROBLEMS,
    STOPPED,
    Grammar,
    InputError,
    add_model,
    add_start,
    compile_progress,
    count,
    parser_for,
    progress_of,
    seconds,
    stoppable,
)
from tumble.app.cli.output import keep_apart, plain, show, tell
from tumble.app.describe.numbers import step_moment
from tumble.app.doctor import report
from tumble.app.doctor.html_report import ModelSection, html_report
from tumble.app.library import unpack
from tumble.app.library.text import may_be_model
from tumble.app.replay.replay_file import SUFFIX, Player, stray_text
from tumble.app.replay.replay_file import load as read_replay
from tumble.app.session.loader import LoadError
from tumble.physics.base.system import cores, kill_group, memory_left, own_group

TICK = 0.1  # between two looks for a request to stop [s]
MOST = 8  # processes, where their number is not given
MEMORY = 2**30  # for each of them [bytes]

_Done = tuple[int, CheckedModel]


def parser() -> Grammar:
    """The command's grammar."""
    grammar = parser_for(
        "check",
        "Examine models by the rules of the doctor: their files, their initial states and keyframes, and a run of a second.\n"
        "Each finding has a severity (error: the run fails or its result is wrong; warning: it is doubtful; advice: there is\n"
        "a better way), the rule, the cause with its numbers, the effect, and its line in the file. docs/doctor.md explains the\n"
        "rules. A comment <!-- doctor: silence sink no-range --> in a file silences rules.\n"
        "Of a folder: the models in it that no other includes. Of a replay (*.tumble): whether it runs to the same states again.",
        "check model.xml",
    )
    add_model(grammar, ", folder of models, or replay (*.tumble)", several=True)
    add = grammar.add_argument
    add("--seconds", type=seconds, default=1.0, metavar="S", help="simulated time (default 1)")
    add("--fail-on", choices=SEVERITIES, default="warning", help="least severity for exit code 1 (warning)")
    add("--prove", action="store_true", help="run the changes that have a prediction, and drop what does not hold")
    add("--fix", action="store_true", help="write the changes that are proven into the files, and check again")
    add("--dry-run", action="store_true", help="with --fix: show the changes, write nothing")
    add("--html", type=Path, metavar="FILE", help="write the findings as one HTML file with pictures too")
    add("--sarif", type=Path, metavar="FILE", help="write the findings in the format SARIF 2.1.0 too")
    add("--baseline", type=Path, metavar="FILE", help="output of an earlier --json: what it has is not reported")
    add("--jobs", type=count, metavar="N", help="processes for several models (default: as many as cores)")
    add("--models-only", action="store_true", help="skip files that are no models: no <mujoco> or <robot> as root")
    add("--answer-lines", action="store_true", help=argparse.SUPPRESS)  # a process of a pool
    add_start(grammar)
    return grammar


def run(options: argparse.Namespace) -> int:
    """Check; the exit code, the worst of several files."""
    known: Known = frozenset() if options.baseline is None else _known(options.baseline)
    if options.dry_run and not options.fix:
        raise InputError("--dry-run is for --fix: it shows the changes that would be written")
    if options.answer_lines:
        answer_lines(options, keep_apart(), lambda path: _checked_or_not(path, options, known))
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
    jobs = 1 if options.fix else processes(options.jobs, len(paths))  # models may share the files that are written
    if jobs == 1:
        for path in paths:
            yield _checked_or_not(path, options, known)
        return
    models = [path for path in paths if path.suffix.lower() != SUFFIX]
    with stoppable() as stop, progress_of("Checking", options) as progress:
        checked = check_in_processes(models, options, jobs, stop, progress.update)
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
        player = Player(replay, compile_progress(progress))
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


# ---- several models at once


def processes(wanted: int | None, models: int) -> int:
    """The number of processes for so many models; wanted: by the user, None for as many as cores and memory allow."""
    most = wanted if wanted is not None else min(cores(), MOST, int(memory_left() // MEMORY))
    return max(1, min(most, models))


def check_in_processes(
    paths: Sequence[Path], options: argparse.Namespace, jobs: int, stop: Callable[[], bool], progress: Callable[[int, int], None]
) -> Iterator[CheckedModel]:
    """Results in the order of the paths. progress: called with the number done and of all. Raises CheckStopped."""
    todo: SimpleQueue[tuple[int, Path]] = SimpleQueue()
    for number, path in enumerate(paths):
        todo.put((number, path))
    done: SimpleQueue[_Done] = SimpleQueue()
    pool = [_Worker(options, todo, done) for _ in range(jobs)]
    waiting: dict[int, CheckedModel] = {}
    try:
        for number in range(len(paths)):
            while number not in waiting:
                if stop():
                    raise CheckStopped
                try:
                    finished, result = done.get(timeout=TICK)
                except Empty:
                    continue
                waiting[finished] = result
                progress(number + len(waiting), len(paths))
            yield waiting.pop(number)
    finally:
        for worker in pool:
            worker.end()


class _Worker:
    """A process that checks one model after the other, and the thread that waits for it."""

    def __init__(self, options: argparse.Namespace, todo: SimpleQueue[tuple[int, Path]], done: SimpleQueue[_Done]) -> None:
        self._options, self._todo, self._done = options, todo, done
        self._process: subprocess.Popen[str] | None = None
        self._ended = False
        threading.Thread(target=self._work, name="check", daemon=True).start()

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self._ended = True
        if self._process is not None:
            kill_group(self._process)  # type: ignore[arg-type]  # a process with text

    def _work(self) -> None:
        while not self._ended:
            try:
                number, path = self._todo.get_nowait()
            except Empty:
                break
            self._done.put((number, self._ask(path)))
        if self._process is not None:
            self._process.communicate()

    def _ask(self, path: Path) -> CheckedModel:
        """The result of a model; of one that ended the process, which, so that the next has a new one."""
        try:
            if self._process is None:
                self._process = _start(path, self._options)
            else:
                assert self._process.stdin is not None
                self._process.stdin.write(f"{json.dumps(str(path))}\n")
                self._process.stdin.flush()
            assert self._process.stdout is not None
            line = self._process.stdout.readline()
        except OSError as error:
            return unread(path, f"{path}: no process to check it in ({error})")
        if line:
            return msgspec.json.decode(line, type=CheckedModel)
        code = self._process.wait()
        self._process = None
        return unread(path, f"{path}: the process that checked it ended with code {code}")


def _start(first: Path, options: argparse.Namespace) -> subprocess.Popen[str]:
    """A process that checks this model, and then those on its standard input. Raises OSError."""
    values = {"seconds": options.seconds, "fail-on": options.fail_on, "baseline": options.baseline, "key": options.key,
              "html": options.html}  # fmt: skip
    arguments = [f"--{name}={value}" for name, value in values.items() if value is not None]
    arguments += [f"--ctrl={text}" for text in options.ctrl]
    arguments += [f"--{name}" for name in ("prove",) if getattr(options, name)]
    command = command_line("check", str(first), "--answer-lines", "--quiet", *arguments)
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": path}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, encoding="utf-8", **own_group())


def answer_lines(options: argparse.Namespace, stream: TextIO, check: Callable[[Path], CheckedModel]) -> None:
    """Answer for the model of the command line, then for each that the standard input names: a result a line."""
    for path in chain(options.model, (Path(json.loads(line)) for line in sys.stdin)):
        stream.write(msgspec.json.encode(check(path)).decode() + "\n")
        stream.flush()

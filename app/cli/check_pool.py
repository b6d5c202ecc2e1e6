"""Models checked by several processes at once, with the results in the order of the models."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TextIO

import msgspec

from tumble import ROOT
from tumble.app.base import program
from tumble.app.cli.check_model import CheckedModel, CheckStopped, unread
from tumble.physics.base.system import cores, kill_group, memory_left, own_group

TICK = 0.1  # between two looks for a request to stop [s]
MOST = 8  # processes, where their number is not given
MEMORY = 2**30  # for each of them [bytes]

_Done = tuple[int, CheckedModel]


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
    command = program.command("check", str(first), "--answer-lines", "--quiet", *arguments)
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"PYTHONPATH": path}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, encoding="utf-8", **own_group())


def answer_lines(options: argparse.Namespace, stream: TextIO, check: Callable[[Path], CheckedModel]) -> None:
    """Answer for the model of the command line, then for each that the standard input names: a result a line."""
    for path in chain(options.model, (Path(json.loads(line)) for line in sys.stdin)):
        stream.write(msgspec.json.encode(check(path)).decode() + "\n")
        stream.flush()

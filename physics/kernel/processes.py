"""Compiles kernels in worker processes, so that a window stays smooth and every core works.

Compiling holds Python's lock for long. So each worker compiles what it is given and sends the object code back;
see builder.py for its side.
"""

from __future__ import annotations

import atexit
import logging
import os
import sys
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from tumble import ROOT
from tumble.physics.kernel import cache
from tumble.physics.kernel.function import Compiled
from tumble.physics.kernel.library import is_frozen
from tumble.physics.kernel.target import Target, target

if TYPE_CHECKING:
    import subprocess

log = logging.getLogger(__name__)

TICK = 0.5  # between two words while a function takes long [s]

_working: set[subprocess.Popen[bytes]] = set()
_exiting = threading.Event()  # the program ends its processes: none of them has failed


def compile_beside(
    parts: Sequence[Compiled], done: Callable[[Compiled], None], gently: bool = False, waiting: Callable[[], None] = lambda: None,
    targets: Sequence[Target] = (),
) -> None:
    """Compile functions into the cache, in their order; done: called in this thread after each; waiting: now and then between.

    gently: by a single process, at low priority; else as many at a time as there are cores. targets: none is this computer.
    A process that fails is not fatal: what it leaves undone is compiled where it is first used.
    """
    wanted = tuple(targets) or (target(),)
    todo: SimpleQueue[Compiled] = SimpleQueue()
    for part in parts:
        todo.put(part)
    finished: SimpleQueue[Compiled | None] = SimpleQueue()
    workers = 0 if is_frozen() else 1 if gently else min(os.cpu_count() or 1, len(parts))
    for _ in range(workers):
        threading.Thread(target=_feed, args=(todo, finished, gently, wanted), name="kernels", daemon=True).start()
    while workers:
        try:
            ended = finished.get(timeout=TICK)
        except Empty:
            waiting()
            continue
        if ended is None:
            workers -= 1
        else:
            done(ended)


def _feed(todo: SimpleQueue[Compiled], finished: SimpleQueue[Compiled | None], gently: bool, targets: tuple[Target, ...]) -> None:
    """Hands functions to one process, one after the other, until none is left or the process fails."""
    import subprocess  # where no kernel is missing, nothing is started

    named = [wanted.name for wanted in targets]
    command = [sys.executable, "-m", "tumble.physics.kernel.builder", *named, *(["--gently"] if gently else [])]
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    # numba goes through sets of names: the same order each time gives the same code each time.
    environment = os.environ | {"PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, env=environment)
    except OSError as error:
        log.warning("no process to compile in (%s); kernels are compiled here", error)
        finished.put(None)
        return
    _working.add(process)
    try:
        _hand_out(process, todo, finished, targets)
    except Empty:
        pass
    except OSError as error:
        if not _exiting.is_set():
            log.warning("a process that compiles kernels has ended (%s)", error)
    finally:
        _working.discard(process)
        _end(process)
        finished.put(None)


def _hand_out(
    process: subprocess.Popen[bytes], todo: SimpleQueue[Compiled], finished: SimpleQueue[Compiled | None],
    targets: tuple[Target, ...],
) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    while True:
        part = todo.get_nowait()
        process.stdin.write(f"{part.key}\n".encode())
        process.stdin.flush()
        seconds, *lengths = process.stdout.readline().split() or [b""]
        codes = [process.stdout.read(int(length)) for length in lengths]
        if len(codes) < len(targets) or any(len(code) < int(length) for code, length in zip(codes, lengths, strict=True)):
            if not _exiting.is_set():
                log.warning("a process that compiles kernels died of %s", part.name)
            return
        if not all(codes):
            log.warning("compiling %s in a worker process failed", part.name)
            continue
        part.seconds = float(seconds)
        for wanted, code in zip(targets, codes, strict=True):
            cache.write(part.key, part.digest, code, wanted)
        finished.put(part)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a process, whatever it is doing."""
    process.kill()
    process.communicate()


@atexit.register
def _end_all() -> None:
    """End without waiting for unfinished work when the program exits."""
    _exiting.set()
    for process in tuple(_working):
        process.kill()

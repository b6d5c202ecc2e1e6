"""Compiles stages in processes beside this one, so that a window stays smooth and every core works.

Compiling holds Python's lock for long. So each process of ours compiles what it is told to and leaves it in
the kernel cache, from which this process then loads it in milliseconds; see builder.py for its side.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue

from physics.kernel import Compiled

log = logging.getLogger(__name__)

# Fewer stages than this are compiled here: starting a process costs about as much as one of them.
WORTHWHILE = 4


Progress = Callable[[int, int, str], None]


def ready(parts: Iterable[Compiled]) -> bool:
    """Whether nothing has to be compiled: all is loaded, or waits in the cache."""
    return all(part.ready or part.kept for part in parts)


def load(parts: Iterable[Compiled], progress: Progress | None = None) -> None:
    """Have stages ready to run, from the cache or compiled.

    progress: called after each that had to be compiled with (how many are done, how many there are, its name).
    """
    todo = [part for part in parts if not part.ready]
    missing = [part for part in todo if not part.kept]
    count = 0

    def tell(part: Compiled) -> None:
        nonlocal count
        count += 1
        if progress is not None:
            progress(count, len(missing), part.name)

    if progress is not None and missing:
        progress(0, len(missing), missing[0].name)
    if len(missing) >= WORTHWHILE:
        build(missing, tell)
    for part in todo:
        late = part in missing and not part.kept
        part.address  # noqa: B018  # reading it loads, or compiles
        if late:
            tell(part)


def build(parts: Sequence[Compiled], done: Callable[[Compiled], None]) -> None:
    """Compile stages into the cache, several at a time; done: called in this thread after each.

    A process that fails is not fatal: what it leaves undone is compiled where it is first used.
    """
    todo: SimpleQueue[Compiled] = SimpleQueue()
    for part in parts:
        todo.put(part)
    finished: SimpleQueue[Compiled | None] = SimpleQueue()
    workers = min(os.cpu_count() or 1, len(parts))
    for _ in range(workers):
        threading.Thread(target=_feed, args=(todo, finished), daemon=True).start()
    while workers:
        ended = finished.get()
        if ended is None:
            workers -= 1
        else:
            done(ended)


def _feed(todo: SimpleQueue[Compiled], finished: SimpleQueue[Compiled | None]) -> None:
    """Hands stages to one process, one after the other, until none is left or the process fails."""
    command, root = [sys.executable, "-m", "physics.builder"], Path(__file__).parents[1]
    try:
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            while True:
                part = todo.get_nowait()
                process.stdin.write(f"{part.function.__module__}:{part.name}\n")
                process.stdin.flush()
                if not process.stdout.readline():
                    log.warning("compiling %s in a process beside this one failed; it is compiled here", part.name)
                    return
                finished.put(part)
    except Empty:
        pass
    except OSError as error:
        log.warning("no process to compile in (%s); kernels are compiled here", error)
    finally:
        finished.put(None)

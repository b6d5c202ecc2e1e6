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
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue

from physics.kernel import Compiled

log = logging.getLogger(__name__)

# Fewer stages than this are compiled here: starting a process costs about as much as one of them.
WORTHWHILE = 4


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

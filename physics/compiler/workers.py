"""Work on all cores while a file is compiled: jobs whose results are asked for in their order.

The jobs run in threads of their own, and mostly without Python's lock: in kernels, in NumPy and in Qhull. The thread that
compiles reads the files, hands out the jobs and waits for them in the order of the file, so that the first problem there is
the one that is raised, whichever job ended first, and notes come in order too. Only that thread calls the listener of a load;
what the listener raises while it waits ends the jobs at their next `ask`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from time import monotonic
from types import TracebackType
from typing import Any, Generic, TypeVar

from tumble.physics.base.system import cores
from tumble.physics.compiler.progress import AssetProgress, ask, told_to
from tumble.physics.mjcf import notes

T = TypeVar("T")

_MOST = 16  # threads: each has the arrays of a mesh at work
_TURN = 0.02  # time between two questions to the listener of whoever waits [s]


class _Stopped(Exception):
    """The result of this job is not needed any more."""


class Job(Generic[T]):
    """A job that is at work, or will be."""

    def __init__(self, future: Future[tuple[T, notes.Notes]]) -> None:
        self._future = future

    def result(self) -> T:
        """Result of the job, or its exception; meanwhile the listener may cancel the load."""
        while not self._future.done():
            wait([self._future], _TURN)
            ask()
        value, remarks = self._future.result()
        notes.take(remarks)
        return value


class Workers:
    """Threads for the jobs of one compilation; on leaving the `with`, jobs that are not waited for end."""

    def __init__(self) -> None:
        self.count = min(cores(), _MOST)
        self._executor = ThreadPoolExecutor(self.count, "tumble-compile")
        self._stopped = threading.Event()
        self._jobs: list[Future[Any]] = []

    def submit(self, job: Callable[[], T]) -> Job[T]:
        """Have a job done; it sees the context variables of the thread that submits it."""
        self._jobs.append(self._executor.submit(copy_context().run, self._do, job))
        return Job(self._jobs[-1])

    def all_done(self, patience: float) -> bool:
        """True if all jobs so far have ended, or do within so many seconds."""
        end = monotonic() + patience
        while (left := [job for job in self._jobs if not job.done()]) and monotonic() < end:
            wait(left, _TURN)
            ask()
        return not left

    def _do(self, job: Callable[[], T]) -> tuple[T, notes.Notes]:
        with notes.collected() as remarks, told_to(self._check):
            self._check()
            return job(), remarks

    def _check(self, _: AssetProgress | None = None) -> None:
        if self._stopped.is_set():
            raise _Stopped

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stopped.set()
        self._executor.shutdown(cancel_futures=True)

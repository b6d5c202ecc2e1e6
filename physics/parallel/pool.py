"""The threads of this process that join the jobs of kernels (share.py): as many as the model that asks for most wants.

They are Python's threads, but run one compiled function for all their life, without Python's lock.
"""

from __future__ import annotations

import atexit
import ctypes
import logging
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np

from tumble.physics.kernel import Compiled
from tumble.physics.parallel import share
from tumble.physics.parallel.semaphore import POST, WAIT, Semaphore

log = logging.getLogger(__name__)

_ENDLESS = 2**62  # a serial number, or a count of workers, that nothing reaches
_FAREWELL = 5.0  # s for the workers to end when the interpreter does


def _function(part: Compiled) -> Callable[[int, int], None]:
    """A compiled function of (pool, number), to be called without Python's lock."""
    return ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(part.address)


class Pool:
    """Worker threads, and the words through which kernels talk to them, at `address`.

    Threads end when the last model that asked for them asks for fewer or is gone, and when the interpreter ends.
    """

    def __init__(self) -> None:
        self._memory = np.zeros(share.SIZE // 8 + 16, np.int64)
        self.address = -(-self._memory.ctypes.data // 128) * 128
        self._words = self._memory[(self.address - self._memory.ctypes.data) // 8 :]
        self._users: dict[int, tuple[weakref.ref[Any], int]] = {}
        self._serial = 0  # of the next worker
        self._bells: list[Semaphore] = []
        self._clear()
        self._closed = False

    def _clear(self) -> None:
        """No threads, and the pool is free."""
        self._lock = threading.Lock()
        self._threads: list[threading.Thread] = []
        self._ending: list[threading.Thread] = []
        self._words[: share.SIZE // 8] = 0
        self._words[share.FLOOR // 8] = self._serial

    @property
    def size(self) -> int:
        """Workers there are."""
        return len(self._threads)

    @property
    def joined(self) -> int:
        """Number of times that a worker has joined a job since the process started."""
        return int(self._words[share.JOINED // 8])

    def require(self, user: object, count: int) -> None:
        """Have at least `count` workers as long as `user` lives and says nothing else; 0: it needs none any more.

        Where the system gives fewer threads, this is logged, and jobs are done by fewer.
        """
        key = id(user)
        if count > 0:
            self._users[key] = weakref.ref(user, lambda _: self._forget(key)), count
        else:
            self._users.pop(key, None)
        with self._lock:
            self._fit()

    def is_used_by(self, user: object) -> bool:
        """True if `user` has asked for workers."""
        return id(user) in self._users

    def _forget(self, key: int) -> None:
        """A user is gone. This may be called anywhere, even within require: then the next call ends the workers."""
        self._users.pop(key, None)
        if self._lock.acquire(blocking=False):
            try:
                if not self._closed and self._wanted() < len(self._threads):
                    self._retire()
            finally:
                self._lock.release()

    def _wanted(self) -> int:
        """The largest number of workers that any user asks for."""
        return max((count for _, count in list(self._users.values())), default=0)

    def _fit(self) -> None:
        """Start or end workers. All end and others begin if there are too many: this is rare, and no number is used twice."""
        wanted = self._wanted()
        if self._closed or wanted == self._words[share.MADE // 8]:
            return
        if wanted < len(self._threads):
            self._retire()
        # A new worker that lay down now could take the post that wakes an old one, which would then sleep forever.
        for thread in self._ending:
            thread.join()
        self._ending = []
        self._start(wanted - len(self._threads))
        self._words[share.MADE // 8] = wanted

    def _retire(self) -> None:
        """Have all workers end, without waiting for them; users that still need some ask again."""
        self._ending += self._threads
        self._threads = []
        self._words[share.MADE // 8] = 0
        _function(share.retire)(self.address, self._serial)

    def _start(self, count: int) -> None:
        """Start a number of workers."""
        if count > 0 and not self._bells:
            self._furnish()
            atexit.register(self.close)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=self._after_fork)
        work = _function(share.work) if count > 0 else None  # compiled here, not by the threads
        for _ in range(count):
            thread = threading.Thread(target=work, args=(self.address, self._serial), name="tumble-island", daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                log.warning("no more than %d worker threads: %s", len(self._threads), error)
                return
            self._serial += 1
            self._threads.append(thread)

    def _furnish(self) -> None:
        """Semaphores, and where their functions are."""
        self._bells = [Semaphore(), Semaphore()]
        values = {share.WAIT: WAIT, share.POST: POST, share.BELL: self._bells[0].handle, share.DONE: self._bells[1].handle}
        for at, value in values.items():
            self._words[at // 8] = value

    def _after_fork(self) -> None:
        """A child process has none of the threads, but may start new ones; the words are as they were at any moment."""
        self._clear()
        self._furnish()

    def close(self) -> None:
        """End all workers; none is started again. Called when the interpreter ends: its memory must not go before them."""
        with self._lock:
            self._closed = True
            _function(share.retire)(self.address, _ENDLESS)
            self._words[share.MADE // 8] = _ENDLESS  # no user asks for more
            for thread in self._threads + self._ending:
                thread.join(_FAREWELL)
            self._threads, self._ending = [], []


POOL = Pool()

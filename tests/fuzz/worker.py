"""Runs jobs in child processes that may crash, hang or ask for too much memory, and tells which did."""

from __future__ import annotations

import base64
import json
import os
import resource
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from physics.kernel.cache import directory

MEMORY = 4 * 2**30  # bytes of address space of a child
DATA = 2 * 2**30  # bytes that it may write to: files do not make it need more
SECONDS = 10.0  # for one job
START_SECONDS = 900.0  # to start: kernels may have to be compiled

_ROOT = Path(__file__).resolve().parents[2]


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_DATA, (DATA, DATA))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Worker:
    """A child that serves jobs; after a crash or a timeout the next job starts a new one."""

    def __init__(self, kind: str, checked: bool = False) -> None:
        """kind: "ours", "theirs" or "python", see exercise.py; checked: with kernels that check every index."""
        self._kind = kind
        cache = {"TUMBLE_CACHE": str(directory().with_name("kernels-checked")), "NUMBA_BOUNDSCHECK": "1"}
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
        self._environment = os.environ | threads | {"PYTHONPATH": str(_ROOT)} | (cache if checked else {})
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._stop()

    def run(self, xml: str, seed: int = 0, seconds: float = SECONDS, files: Mapping[str, bytes] | None = None) -> dict[str, Any]:
        """The child's result; "outcome" is accepted, rejected, failed, crashed or timeout. files: those of the model, by name."""
        if self._child is None:
            self._start()
        held = {name: base64.b64encode(data).decode() for name, data in (files or {}).items()}
        return self._ask({"xml": xml, "seed": seed, "files": held}, seconds)

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the child
        self._child = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.exercise", self._kind], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self._errors, cwd=_ROOT, env=self._environment, preexec_fn=_limit,
        )  # fmt: skip
        if self._answer(START_SECONDS) != b"ready\n":
            raise RuntimeError(f"the child does not start: {self._stop()}")

    def _ask(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        assert self._child is not None
        assert self._child.stdin is not None
        try:
            self._child.stdin.write(json.dumps(job).encode() + b"\n")
            self._child.stdin.flush()
        except BrokenPipeError:
            return self._crashed()
        line = self._answer(seconds)
        if line is None:
            return {"outcome": "timeout", "message": f"no answer within {seconds:g} s", "trace": self._dump()}
        return json.loads(line) if line.endswith(b"\n") else self._crashed()

    def _answer(self, seconds: float) -> bytes | None:
        """A line from the child, less if it ends before; None when there is nothing in time."""
        assert self._child is not None
        assert self._child.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._child.stdout, selectors.EVENT_READ)
            if not selector.select(seconds):
                return None
        return self._child.stdout.readline()

    def _crashed(self) -> dict[str, Any]:
        assert self._child is not None
        self._child.wait(30)
        code = self._child.returncode
        return {"outcome": "crashed", "message": f"exit status {code}", "trace": self._stop()}

    def _dump(self) -> str:
        """Where the child is, from its fault handler, and its end."""
        assert self._child is not None
        self._child.send_signal(6)
        try:
            self._child.wait(5)
        except subprocess.TimeoutExpired:
            self._child.kill()
        return self._stop()

    def _stop(self) -> str:
        """End the child; returns the end of what it wrote to standard error."""
        if self._child is None:
            return ""
        self._child.kill()
        self._child.wait()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # what it had not read is lost with it
        self._child = None
        self._errors.seek(0)
        told = self._errors.read().decode(errors="replace").partition("Extension modules:")[0][-3000:]
        self._errors.close()
        return told

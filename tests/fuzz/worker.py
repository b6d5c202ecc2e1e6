"""Runs jobs in child processes that may crash, hang or ask for too much memory, and tells which did."""

import base64
import json
import os
import re
import resource
import selectors
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import Any, Self

from tumble.physics.kernel.cache import directory

MEMORY = 4 * 2**30  # bytes of address space of a child
DATA = 2 * 2**30  # bytes that it may write to: files do not make it need more
SECONDS = 10.0  # of the processor's time for one job
START_SECONDS = 900.0  # to start: kernels may have to be compiled

# A child killed from outside, by a person or where memory ends, is tried again: a fault of ours does not end so, or always.
_KILLED, _TRIES = "exit status -9", 3

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

    def run(self, kind: str, files: Mapping[str, bytes], seed: int = 0, seconds: float = SECONDS) -> dict[str, Any]:
        """The child's result; "outcome" is accepted, rejected, unclear, failed, crashed, timeout or memory.

        kind: of kinds.py; files: those of the mutant, by name, of which the first is opened; seconds: of the processor's time.
        """
        held = {name: base64.b64encode(data).decode() for name, data in files.items()}
        for _ in range(_TRIES):
            if self._child is None:
                self._start()
            result = self._ask({"kind": kind, "seed": seed, "files": held}, seconds)
            if result.get("message") != _KILLED:
                break
        return result

    def _start(self) -> None:
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # lives as long as the child
        self._child = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "tests.fuzz.exercise", self._kind], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
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
            return self._traced({"outcome": "timeout", "message": f"no answer within {seconds:g} s", "trace": self._dump()})
        return json.loads(line) if line.endswith(b"\n") else self._crashed()

    def _answer(self, seconds: float) -> bytes | None:
        """A line from the child, less if it ends before; None when there is nothing in time.

        What counts is the child's time on the processor, since others use it too, and that it uses any.
        """
        assert self._child is not None
        assert self._child.stdout is not None
        began, seen, moved = self._used(), self._used(), monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(self._child.stdout, selectors.EVENT_READ)
            while not selector.select(min(seconds, 0.5)):
                used = self._used()
                if used > seen:
                    seen, moved = used, monotonic()
                if used - began > seconds or monotonic() - moved > seconds:
                    return None
        return self._child.stdout.readline()

    def _used(self) -> float:
        """The child's time on the processor [s]; 0 if it is gone."""
        assert self._child is not None
        try:
            fields = Path(f"/proc/{self._child.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _crashed(self) -> dict[str, Any]:
        assert self._child is not None
        self._child.wait(30)
        code = self._child.returncode
        return self._traced({"outcome": "crashed", "message": f"exit status {code}", "trace": self._stop()})

    def _traced(self, result: dict[str, Any]) -> dict[str, Any]:
        """With the innermost function of ours in a dump of the fault handler: what tells one fault from another."""
        here = result["trace"].rpartition("Current thread")[2]
        own = re.search(r'File "[^"]*/(?:physics|app|render)/[^"]*?([^"/]+)", line \d+ in (\w+)', here)
        return result | {"at": f"{result['message']} in {own[1]}:{own[2]}" if own else result["message"]}

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

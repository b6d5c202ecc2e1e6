"""Programs in a process of their own: one that faults is a test that fails, not an end of the test run."""

import os
import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[1]


def run_in_child(program: str, seconds: float) -> str:
    """What a Python program prints. Fails, with what it said, if it ends with an error or a signal, or takes too long."""
    environment = os.environ | {"PYTHONPATH": str(_ROOT)}
    try:
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", "-c", program], cwd=_ROOT, env=environment, capture_output=True, text=True,
            timeout=seconds, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        raise AssertionError(f"not done after {seconds:g} s: {late.stdout!r} {late.stderr!r}") from None
    assert done.returncode == 0, f"exit code {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-6000:]}"
    return done.stdout

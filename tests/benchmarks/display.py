"""Runs the window's probe in a process of its own, on a virtual screen where there is none."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pyvirtualdisplay import Display

ROOT = Path(__file__).parents[2]


def probe(
    path: Path,
    seconds: float,
    module: str = "probe",
    screen: tuple[int, int] = (1600, 1000),
    env: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What a probe of tests.benchmarks prints; env: variables of its environment beside those of this process."""
    environment = os.environ | dict(env or {})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have bytecode from the second start on
    with nullcontext() if environment.get("DISPLAY") else Display(visible=False, size=screen) as display:
        if display is not None:
            environment["DISPLAY"] = display.new_display_var
        command = [sys.executable, "-m", f"tests.benchmarks.{module}", str(path), str(seconds)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the window failed on {path}, with code {done.returncode}:\n{done.stderr}")
    return dict(json.loads(done.stdout.splitlines()[-1]))

"""Probes of the real window, each in a process of its own, on a virtual screen where there is none: whether it keeps real
time, how much memory it has, and what the docks cost."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from pyvirtualdisplay import Display

from tests.benchmarks.markdown import grid, section
from tests.crowds import figures
from tests.physics.scenes import GYM
from tumble import physics

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
        command = [sys.executable, "-X", "faulthandler", "-m", f"tests.benchmarks.{module}", str(path), str(seconds)]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"the window failed on {path}, with code {done.returncode}:\n{done.stderr}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


SECONDS = 5.0


def rates() -> str:
    """Simulated over wall time for each of Gymnasium's models, wanted: 1.0 within 5 %; and memory. The soak says what grows."""
    rows = []
    for path in GYM:
        seen = probe(path, SECONDS)
        m = physics.MjModel.from_xml_path(str(path))
        d = physics.MjData(m)
        physics.mj_step(m, d, 2000)
        near = "yes" if abs(seen["rate"] - 1) < 0.05 else "NO"
        rows.append((path.stem, f"{seen['rate']:.3f}", near, f"{seen['memory_end']:.0f}", f"{d.nbytes / 1e6:.2f}"))
    return section(
        "Real time and memory",
        f"Simulated over wall time in the open window, over {SECONDS:.0f} s at the wanted rate 1; what is resident then\n"
        "(wanted: under 500 MB), and the MjData of the model after 2000 steps (wanted of the humanoid: under 1 MB).",
        grid("model | rate | within 5 % | resident [MB] | MjData [MB]", rows),
    )


FIGURES = 22


def docks() -> str:
    """Paint intervals and rate with all docks open, against all closed.

    Wanted: the 99th percentile grows by less than 40 %, the rate falls by less than 5 %.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.xml"
        path.write_text(figures(FIGURES))
        seen = probe(path, 10.0, module="dock_probe", screen=(3900, 2200))
    growth, loss = seen["open_p99"] / seen["closed_p99"] - 1, 1 - seen["open_rate"] / seen["closed_rate"]
    rows = [(name, f"{seen[f'{name}_p50']:.1f}", f"{seen[f'{name}_p99']:.1f}", f"{seen[f'{name}_rate']:.3f}")
            for name in ("closed", "open")]  # fmt: skip
    return section(
        "The docks",
        f"{FIGURES} figures moving; all {seen['docks']:.0f} docks open, each in a window of its own, against all closed.",
        grid(" | paint interval, median [ms] | 99th percentile [ms] | simulated over wall time", rows),
        f"The 99th percentile grows by {growth:.0%}, the rate falls by {loss:.1%}.",
    )

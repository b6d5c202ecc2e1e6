"""What the docks cost: paint intervals and rate with all of them open, against all closed."""

import tempfile
from pathlib import Path

from tests.benchmarks.display import probe
from tests.crowds import figures

FIGURES = 22
SECONDS = 10.0


def table() -> str:
    """A table in Markdown; wanted: the 99th percentile grows by less than 40 %, the rate falls by less than 5 %."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.xml"
        path.write_text(figures(FIGURES))
        seen = probe(path, SECONDS, module="dock_probe", screen=(3900, 2200))
    growth = seen["open_p99"] / seen["closed_p99"] - 1
    loss = 1 - seen["open_rate"] / seen["closed_rate"]
    rows = [
        f"| {name} | {seen[f'{name}_p50']:.1f} | {seen[f'{name}_p99']:.1f} | {seen[f'{name}_rate']:.3f} |"
        for name in ("closed", "open")
    ]
    lines = [
        "## The docks", "",
        f"{FIGURES} figures moving; all {seen['docks']:.0f} docks open, each in a window of its own, against all closed.", "",
        "| | paint interval, median [ms] | 99th percentile [ms] | simulated over wall time |", "| --- | ---: | ---: | ---: |",
        *rows, "", f"The 99th percentile grows by {growth:.0%}, the rate falls by {loss:.1%}.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"

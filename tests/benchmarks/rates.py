"""Whether the window keeps real time: simulated over wall time, for each of Gymnasium's models."""

from tests.benchmarks.display import probe
from tests.physics.scenes import GYM

SECONDS = 5.0


def table() -> str:
    """A row for each of Gymnasium's models; wanted: 1.0 within 5 %."""
    lines = ["## Real time", "", f"Simulated over wall time in the open window, over {SECONDS:.0f} s at the wanted rate 1.", "",
             "| model | rate | within 5 % |", "| --- | ---: | --- |"]  # fmt: skip
    for path in GYM:
        rate = probe(path, SECONDS)["rate"]
        lines.append(f"| {path.stem} | {rate:.3f} | {'yes' if abs(rate - 1) < 0.05 else 'NO'} |")
    return "\n".join(lines) + "\n"

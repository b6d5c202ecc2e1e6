"""From the start of the process to the first painted frame in which the humanoid has moved."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.benchmarks.display import probe
from tests.physics.scenes import GYM

HUMANOID = next(path for path in GYM if path.stem == "humanoid")


def table() -> str:
    """Cold: with an empty kernel cache; warm: the same again, the median of three."""
    with tempfile.TemporaryDirectory() as folder:
        cold = probe(HUMANOID, 1.0, Path(folder))["first_frame"]
        warm = sorted(probe(HUMANOID, 1.0, Path(folder))["first_frame"] for _ in range(3))[1]
    return (
        "## Start\n\nFrom process start to the first painted frame in which the humanoid has moved.\n\n"
        f"| kernel cache | seconds |\n| --- | ---: |\n| empty | {cold:.1f} |\n| filled (wanted: under 3) | {warm:.2f} |\n"
    )

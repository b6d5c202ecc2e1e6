"""Resident memory of the window with the humanoid, its growth over ten minutes, and the size of its MjData."""

from tests.benchmarks.display import probe
from tests.benchmarks.start import HUMANOID
from tumble import physics

SECONDS = 600.0


def table() -> str:
    """Wanted: under 500 MB resident, MjData under 1 MB, no growth."""
    seen = probe(HUMANOID, SECONDS)
    m = physics.MjModel.from_xml_path(str(HUMANOID))
    d = physics.MjData(m)
    physics.mj_step(m, d, 2000)
    growth = seen["memory_end"] - seen["memory_start"]
    return (
        f"## Memory\n\nThe window with the humanoid, over {SECONDS:.0f} s.\n\n| what | MB |\n| --- | ---: |\n"
        f"| resident (wanted: under 500) | {seen['memory_end']:.0f} |\n| growth | {growth:+.1f} |\n"
        f"| its MjData after 2000 steps (wanted: under 1) | {d.nbytes / 1e6:.2f} |\n"
    )

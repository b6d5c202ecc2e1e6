"""A minute of ten things on top of each other: how far they move, here and in the reference."""

import time

import mujoco
import numpy as np

from tests.physics.collision.stacks import KINDS, drift, stack
from tumble import physics

SECONDS = 60.0


def told(farthest: float, fell: float) -> str:
    """What a stack did, in a cell of the table."""
    return f"{1e3 * farthest:.2g} mm" if fell == np.inf else f"falls at {fell:.0f} s"


def table() -> str:
    """A table in Markdown."""
    lines = ["## Stacks that stand", "",
             f"Ten on top of each other on a plane, the farthest that one moves in {SECONDS:.0f} s after the first second.", "",
             "| stack | multiccd | here | reference | time here / reference |", "|---|---|---|---|---|"]  # fmt: skip
    for kind in KINDS:
        for multiccd in (True, False):
            xml, cells, spent = stack(kind, multiccd=multiccd), [], []
            for engine in (physics, mujoco):
                start = time.process_time()
                cells.append(told(*drift(engine, xml, SECONDS)))
                spent.append(time.process_time() - start)
            ratio = "-" if "falls" in "".join(cells) else f"{spent[0] / spent[1]:.2f}"
            lines.append(f"| {kind} | {'on' if multiccd else 'off'} | {cells[0]} | {cells[1]} | {ratio} |")
    return "\n".join([*lines, ""])

"""How far the solutions of each solver are from the optimum: the numbers of docs/optimality.md."""

import mujoco
import numpy as np

from tests.physics.reference import put_state
from tests.physics.solver.battery_scenes import SCENES
from tests.physics.solver.optimality import measure
from tests.physics.solver.test_battery import CG, NEWTON, PGS, pushed, set_way
from tumble import physics

NAMES = {NEWTON: "Newton", CG: "CG", PGS: "PGS"}


def rows(name: str, cone: int) -> list[str]:
    """A line of the table for each solver on one scene."""
    rm, m = mujoco.MjModel.from_xml_string(SCENES[name]), physics.MjModel.from_xml_string(SCENES[name])
    start, d = pushed(rm, 25), physics.MjData(m)
    lines, best = [], np.zeros(m.nv)
    for solver, told in NAMES.items():
        set_way(m, solver, cone, 0, 0)
        put_state(d, start)
        physics.mj_forward(m, d)
        if solver == NEWTON:
            best = d.qacc.copy()
        o = measure(m, d)
        apart = float(np.abs(d.qacc - best).max() / (1 + np.abs(best).max()))
        numbers = (o.motion, o.admissible, o.projection, o.gap, apart)
        kind = ("pyramids", "cones")[cone]
        lines.append(f"| {name}, {kind} | {d.nefc} | {told} | {d.solver_niter.max()} | "
                     + " | ".join(f"{x:.0e}" for x in numbers) + " |")  # fmt: skip
    return lines


def table() -> str:
    """A table in Markdown."""
    head = ["| scene | rows | solver | iterations | motion | admissible | projection | gap | from Newton |", "|---|" + "---|" * 8]
    lines = [line for name in SCENES if name not in ("flight", "override") for cone in (0, 1) for line in rows(name, cone)]
    return "\n".join(["## Optimality", "", "See docs/optimality.md.", "", *head, *lines, ""])

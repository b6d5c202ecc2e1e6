"""Our step against the reference's, on the same models under the same controls, in one process, alternating."""

import time
from pathlib import Path

import mujoco
import numpy as np

from tests.benchmarks.markdown import grid, mean, section
from tests.physics.scenes import GYM
from tumble import physics

PAIRS, CHUNK = 9, 0.06  # pairs of chunks, and how long a chunk of the reference takes [s]
SETTLE = 1.0  # simulated time before measuring [s]


def compare(path: Path, integrator: int | None = None) -> tuple[float, float, float, int, int]:
    """Times of a step [us] of the reference and of ours, the median ratio, and both numbers of contacts.

    integrator: in place of the model's own.
    """
    rm, m = mujoco.MjModel.from_xml_path(str(path)), physics.MjModel.from_xml_path(str(path))
    if integrator is not None:
        rm.opt.integrator = m.opt.integrator = integrator
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    rng = np.random.default_rng(1)
    low = np.where(rm.actuator_ctrllimited, rm.actuator_ctrlrange[:, 0], -1.0)
    high = np.where(rm.actuator_ctrllimited, rm.actuator_ctrlrange[:, 1], 1.0)

    def steps(n: int) -> tuple[float, float]:
        rd.ctrl[:] = low + (high - low) * rng.uniform(size=rm.nu)
        d.ctrl[:] = rd.ctrl
        t0 = time.perf_counter()
        mujoco.mj_step(rm, rd, n)
        t1 = time.perf_counter()
        physics.mj_step(m, d, n)
        return (t1 - t0) / n, (time.perf_counter() - t1) / n

    settle = max(1, int(SETTLE / rm.opt.timestep / 20))
    for _ in range(20):
        last = steps(settle)[0]
    chunk = max(1, int(CHUNK / last))
    times = np.array([steps(chunk) for _ in range(PAIRS)])
    reference, ours = np.median(times, axis=0) * 1e6
    return reference, ours, float(np.median(times[:, 0] / times[:, 1])), rd.ncon, d.ncon


def table() -> str:
    """A row for each of Gymnasium's models."""
    rows, ratios = [], []
    for path in GYM:
        reference, ours, ratio, theirs, mine = compare(path)
        ratios.append(ratio)
        rows.append((path.stem, f"{reference:.1f}", f"{ours:.1f}", f"{ratio:.2f}", f"{theirs} / {mine}"))
    return section(
        "A step, against the reference",
        "Median of nine alternating chunks; a ratio over 1 is faster than the reference (C, one thread).",
        grid("model | reference [us] | ours [us] | ratio | contacts, reference / ours", rows), mean(ratios),
    )  # fmt: skip

"""Rollouts against the reference's, and on two threads against one: 64 humanoids under random controls."""

import time
from collections.abc import Callable

import mujoco
import mujoco.rollout
import numpy as np

from tests.benchmarks.markdown import grid, section
from tests.physics.scenes import HUMANOID
from tumble import physics
from tumble.mujoco import rollout

BATCH, STEPS, ROUNDS = 64, 1000, 5


def table() -> str:
    """Medians of rounds in which each takes its turn, and of the ratios within a round."""
    m, reference = physics.MjModel.from_xml_path(str(HUMANOID)), mujoco.MjModel.from_xml_path(str(HUMANOID))
    datas, theirs = [physics.MjData(m) for _ in range(2)], [mujoco.MjData(reference) for _ in range(2)]
    rng = np.random.default_rng(1)
    nstate = physics.mj_stateSize(m, physics.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros((BATCH, nstate))
    start[:, 1 : 1 + m.nq] = m.qpos0 + 0.01 * rng.standard_normal((BATCH, m.nq))
    low, high = m.actuator_ctrlrange.T
    ctrl = low + (high - low) * rng.uniform(size=(BATCH, STEPS, m.nu))
    with (
        rollout.Rollout(nthread=1) as one,
        rollout.Rollout(nthread=2) as two,
        mujoco.rollout.Rollout(nthread=2) as their_two,
    ):
        runs: dict[str, Callable[[], object]] = {
            "reference, 2 threads": lambda: their_two.rollout(reference, theirs, start, ctrl),
            "ours, 2 threads": lambda: two.rollout(m, datas, start, ctrl),
            "ours, 1 thread": lambda: one.rollout(m, datas[:1], start, ctrl),
        }
        for run in runs.values():
            run()
        times = np.array([[_seconds(run) for run in runs.values()] for _ in range(ROUNDS)])
    rows = [(name, f"{s:.2f}", f"{BATCH * STEPS / s:.0f}") for name, s in zip(runs, np.median(times, axis=0), strict=True)]
    return section(
        "Rollouts, against the reference",
        f"{BATCH} humanoids, {STEPS} steps each under random controls; medians of {ROUNDS} rounds in which each takes its turn.",
        grid("what | seconds | steps a second", rows),
        f"Ours on 2 threads against the reference: {np.median(times[:, 0] / times[:, 1]):.2f}; "
        f"2 threads of ours against 1: {np.median(times[:, 2] / times[:, 1]):.2f}.",
    )


def _seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start

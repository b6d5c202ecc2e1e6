"""Large scenes against the reference: figures in contact, dominoes asleep; time, iterations and memory."""

import time

import mujoco
import numpy as np
from msgspec import Struct

from tests import crowds
from tests.benchmarks.markdown import grid, mean, section
from tumble import physics

CHUNK, PAIRS = 0.05, 9  # how long a chunk of the reference takes [s], and how many pairs of chunks there are
SETTLE = 1.2  # simulated time before measuring [s]: the figures lie on each other
SCENES = {f"{n} figure{'s'[: n > 1]}": (crowds.figures(n), SETTLE) for n in (1, 3, 10, 22, 50, 100)}
SCENES |= {
    "100 crates, awake": (crowds.crates(100, ""), SETTLE),
    "100 crates, asleep": (crowds.crates(100), SETTLE),
    "1000 dominoes, awake": (crowds.dominoes(1000, ""), 0.1),
    "1000 dominoes, asleep": (crowds.dominoes(1000), 0.3),
}


def copy_state(d: physics.MjData, rd: mujoco.MjData) -> None:
    """The same place, velocity and warm start: from here on both have the same work."""
    d.time, d.qpos, d.qvel, d.qacc_warmstart = rd.time, rd.qpos, rd.qvel, rd.qacc_warmstart


class Result(Struct, frozen=True):
    """Times of a step [us] of the reference, of ours, and of ours with two threads; the median ratio; contacts and mean
    iterations of both; the size of our MjData [MB]."""

    reference: float
    ours: float
    threaded: float
    ratio: float
    contacts: tuple[int, int]
    iterations: tuple[float, float]
    size: float

    def cells(self) -> list[str]:
        """Times, ratio, contacts and iterations in a table."""
        return [f"{self.reference:.1f}", f"{self.ours:.1f}", f"{self.ratio:.2f}", f"{self.contacts[0]} / {self.contacts[1]}",
                f"{self.iterations[0]:.2f} / {self.iterations[1]:.2f}"]  # fmt: skip


def compare(text: str, settle: float) -> Result:
    """Measure a scene after it has settled for so many simulated seconds."""
    rm, m = mujoco.MjModel.from_xml_string(text), physics.MjModel.from_xml_string(text)
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    t = time.perf_counter()
    n = int(settle / rm.opt.timestep)
    mujoco.mj_step(rm, rd, n)
    if m.opt.enableflags & physics.mjtEnableBit.mjENBL_SLEEP:
        physics.mj_step(m, d, n)  # sleep is more than a state: each falls asleep on its own
    asleep = bool((rd.tree_asleep >= 0).all())
    chunk = max(1, int(CHUNK * n / (time.perf_counter() - t)))
    times, iterations = [], []
    for _ in range(PAIRS):
        if not asleep:
            copy_state(d, rd)
        t0 = time.perf_counter()
        mujoco.mj_step(rm, rd, chunk)
        t1 = time.perf_counter()
        physics.mj_step(m, d, chunk)
        times.append(((t1 - t0) / chunk, (time.perf_counter() - t1) / chunk))
        if rd.nisland and d.nisland:
            iterations.append((rd.solver_niter[: min(rd.nisland, 20)].mean(), d.solver_niter[: min(d.nisland, 20)].mean()))
    both = np.array(times)
    reference, ours = np.median(both, axis=0) * 1e6
    niter = np.mean(iterations, axis=0) if iterations else np.zeros(2)
    size = d.nbytes / 1e6
    threaded = step_with_two_threads(m, d, rd, chunk, asleep)
    ratio = float(np.median(both[:, 0] / both[:, 1]))
    return Result(reference, ours, threaded, ratio, (rd.ncon, d.ncon), (niter[0], niter[1]), size)


def step_with_two_threads(m: physics.MjModel, d: physics.MjData, rd: mujoco.MjData, chunk: int, asleep: bool) -> float:
    """The time of a step [us] when two threads solve the islands, from the reference's present state on."""
    m.tumble.threads = 2
    times = []
    for _ in range(PAIRS):
        if not asleep:
            copy_state(d, rd)
        t0 = time.perf_counter()
        physics.mj_step(m, d, chunk)
        times.append((time.perf_counter() - t0) / chunk)
    return float(np.median(times[1:]) * 1e6)


def table() -> str:
    """A row for each scene."""
    results = {name: compare(text, settle) for name, (text, settle) in SCENES.items()}
    rows = [(name, *r.cells()[:3], f"{r.threaded:.1f}", *r.cells()[3:], f"{r.size:.1f}") for name, r in results.items()]
    return section(
        "Large scenes, against the reference",
        "Both go on from the same states; a ratio over 1 is faster than the reference (C, one thread).",
        grid("scene | reference [us] | ours [us] | ratio | 2 threads [us] | contacts, both | iterations, both | MjData [MB]",
             rows),
        mean([r.ratio for r in results.values()]),
    )  # fmt: skip

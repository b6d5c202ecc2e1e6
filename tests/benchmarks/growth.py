"""Cost of collision against number: boxes that have fallen on a plane, ten to five thousand, in both engines."""

import ctypes
import time
from collections.abc import Callable

import mujoco
import numba
import numpy as np
from msgspec import Struct

from tests.benchmarks.markdown import grid, section
from tumble import physics
from tumble.physics.collision.driver import collision
from tumble.physics.collision.sweep import sweep

NUMBERS = (10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
SETTLE = 300  # steps of ours before measuring: the heap has fallen together
ROUNDS, WALL = 7, 0.05  # rounds, of which the fastest counts, and how long one takes [s]


def compiled_clock() -> int:
    """The address of a function that tells the time [s]: timers of the reference then cost it next to nothing."""
    gettime, monotonic = ctypes.CDLL(None).clock_gettime, time.CLOCK_MONOTONIC
    gettime.argtypes, gettime.restype = (ctypes.c_int, ctypes.c_void_p), ctypes.c_int

    def now() -> float:
        parts = np.empty(2, np.int64)
        gettime(monotonic, parts.ctypes)
        return parts[0] + 1e-9 * parts[1]

    compiled = numba.cfunc("f8()")(now)
    _kept.append(compiled)
    return int(compiled.address)


_kept: list[object] = []  # code lives as long as the function that it was made of


class Growth(Struct, frozen=True):
    """Times of a collision [us] of both engines: of the broad phase alone, and the whole; and the contacts of both."""

    number: int
    reference: tuple[float, float]
    ours: tuple[float, float]
    contacts: tuple[int, int]


def heap(number: int) -> str:
    """Boxes in four layers above a plane, a little out of order; the flat heap grows with the number."""
    rng = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(number / 4)))
    bodies = "".join(
        f'<body pos="{0.25 * (i % side) + x:.4f} {0.25 * (i // side % side) + y:.4f} {0.15 + 0.25 * (i // side**2):.4f}">'
        f'<freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        for i, (x, y) in enumerate(0.02 * rng.normal(size=(number, 2)))
    )
    return (f'<mujoco><size memory="500M"/><option timestep="0.003"/><worldbody><geom type="plane" size="50 50 .1"/>'
            f"{bodies}</worldbody></mujoco>")  # fmt: skip


def measure(number: int) -> Growth:
    """Both engines on the same poses."""
    text = heap(number)
    rm, m = mujoco.MjModel.from_xml_string(text), physics.MjModel.from_xml_string(text)
    rd, d = mujoco.MjData(rm), physics.MjData(m)
    physics.mj_step(m, d, SETTLE if number <= 1000 else SETTLE // 3)
    rd.qpos[:] = d.qpos
    mujoco.mj_fwdPosition(rm, rd)
    physics.mj_fwdPosition(m, d)
    timer = rd.timer[mujoco.mjtTimer.mjTIMER_COL_BROAD]
    whole, broad = [], []
    for _ in range(ROUNDS):
        timer.duration, timer.number = 0.0, 0
        whole.append(_time(lambda: mujoco.mj_collision(rm, rd)))
        broad.append(1e6 * timer.duration / timer.number)
    ours = [(_time(lambda: sweep(m, d)), _time(lambda: collision(m, d))) for _ in range(ROUNDS)]
    best = np.min(ours, axis=0)
    return Growth(number, (min(broad), min(whole)), (float(best[0]), float(best[1])), (rd.ncon, d.ncon))


def _time(call: Callable[[], None]) -> float:
    """Processor time of a call [us]."""
    start = time.process_time()
    call()
    number = max(1, int(WALL / max(time.process_time() - start, 1e-6)))
    start = time.process_time()
    for _ in range(number):
        call()
    return (time.process_time() - start) / number * 1e6


def results() -> list[Growth]:
    """All numbers."""
    clock = ctypes.CFUNCTYPE(ctypes.c_double)(compiled_clock())
    mujoco.set_mjcb_time(clock)
    try:
        return [measure(number) for number in NUMBERS]
    finally:
        mujoco.set_mjcb_time(None)


def table() -> str:
    """A row for each number; the broad phase's time a body over the logarithm of the number."""
    rows, found = [], results()
    for r in found:
        theirs, ours = 1e3 * r.reference[0] / r.number, 1e3 * r.ours[0] / r.number
        rows.append((r.number, f"{r.contacts[0]} / {r.contacts[1]}", f"{theirs:.0f}", f"{ours:.0f}",
                     f"{ours / np.log(r.number):.1f}", f"{theirs / ours:.2f}", f"{r.reference[1] / r.number:.2f}",
                     f"{r.ours[1] / r.number:.2f}", f"{r.reference[1] / r.ours[1]:.2f}"))  # fmt: skip
    mine, other = power([r.ours[0] for r in found]), power([r.reference[0] for r in found])
    return section(
        "Collision against number",
        "Boxes that have fallen on a plane in a flat heap of four layers: the broad phase (ours with the middle phase)\n"
        "alone, and the whole collision, in which up to 512 pairs are listed and not swept. A ratio over 1 is faster\n"
        "than the reference.",
        grid("boxes | contacts, both | broad, a body: reference [ns] | ours [ns] | over log n [ns] | ratio "
             "| whole, a body: reference [us] | ours [us] | ratio", rows),
        f"The broad phase's time a body grows as the power {mine:.2f} of log n, the reference's as {other:.2f}.",
    )  # fmt: skip


def power(times: list[float]) -> float:
    """The exponent p of (log n)^p that fits a time of a body best; 1 or less: it grows no faster than log n."""
    n = np.array(NUMBERS, float)
    return float(np.polyfit(np.log(np.log(n)), np.log(np.array(times) / n), 1)[0])

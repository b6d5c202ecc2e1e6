"""Soft convex contacts beside hard ones: what each gets wrong, and what it costs, the numbers of docs/lcp.md; and how far the
solutions of each solver are from the optimum."""

import math
import time
from collections.abc import Callable

import mujoco
import numpy as np

from tests.benchmarks.markdown import grid, section
from tests.physics.reference import put_state
from tests.physics.solver.battery_scenes import SCENES
from tests.physics.solver.optimality import measure
from tests.physics.solver.test_battery import CG, NEWTON, PGS, pushed, set_way
from tumble.physics import ContactModel, MjData, MjModel, Splitting, mj_forward, mj_step, mjtDisableBit

BOX = """<body pos="{x} 0 {z}" euler="0 {tilt} 0"><freejoint/>
  <geom type="box" size="0.1 0.1 0.1" mass="{mass}" friction="0.5"/></body>"""
SCENE = '<mujoco><worldbody><geom type="plane" size="99 99 1" euler="0 {tilt} 0" friction="0.5"/>{bodies}</worldbody></mujoco>'
MODELS = ("soft, pyramids", "soft, cones", "LCP", "LCP, discs")
NAMES = {
    Splitting.JACOBI: "Jacobi",
    Splitting.GAUSS_SEIDEL: "Gauss-Seidel",
    Splitting.SOR: "SOR 1.3",
    Splitting.CONJUGATE: "conjugate",
}
STEEP, PLAIN = 20, 0


def made(xml: str, kind: str) -> tuple[MjModel, MjData]:
    """The scene under one of MODELS; all solved to high precision."""
    m = MjModel.from_xml_string(xml)
    m.tumble.contact_model = ContactModel.LCP if kind.startswith("LCP") else ContactModel.SOFT
    m.tumble.lcp_sweeps = 2000
    m.opt.cone = int(kind.endswith(("cones", "discs")))
    m.opt.tolerance = 1e-10
    return m, MjData(m)


def block(tilt: float = PLAIN) -> str:
    a = math.radians(tilt)
    body = BOX.format(x=0.1 * math.sin(a), z=0.1 * math.cos(a), tilt=tilt, mass=1)
    return SCENE.format(tilt=tilt, bodies=body)


def stack(*masses: float) -> str:
    bodies = "".join(BOX.format(x=0, z=0.1 + 0.2 * k, tilt=0, mass=mass) for k, mass in enumerate(masses))
    return SCENE.format(tilt=0, bodies=bodies)


def lift(kind: str, speed: float) -> float:
    """How much higher [mm] a sliding block rides than a resting one, in the mean of the second tenth of a second."""
    m, d = made(block(), kind)
    mj_step(m, d, 500)
    rest = d.qpos[2]
    d.qvel[0] = speed
    mj_step(m, d, 50)
    heights = []
    for _ in range(50):
        mj_step(m, d)
        heights.append(d.qpos[2])
    return 1e3 * float(np.mean(heights) - rest)


def braking(kind: str, degrees: float) -> float:
    """Deceleration of a sliding block over mu g, when it slides at this angle to the first tangent of its contacts."""
    m, d = made(block(), kind)
    mj_step(m, d, 500)
    a = math.radians(degrees)
    d.qvel[:2] = 3 * math.cos(a), 3 * math.sin(a)
    mj_step(m, d, 50)
    before = float(np.hypot(*d.qvel[:2]))
    mj_step(m, d, 100)
    return (before - float(np.hypot(*d.qvel[:2]))) / (100 * m.opt.timestep * 0.5 * 9.81)


def creep(kind: str) -> float:
    """Speed [mm/s] at which a block that should stick moves down a slope of 20 degrees: friction angle 26.6."""
    m, d = made(block(STEEP), kind)
    mj_step(m, d, 1000)
    before = d.qpos[:3].copy()
    mj_step(m, d, 1000)
    return 1e3 * float(np.linalg.norm(d.qpos[:3] - before)) / (1000 * m.opt.timestep)


def sinking(kind: str, masses: tuple[float, ...]) -> str:
    """How deep [mm] the top of a stack is below its place after a second, and the iterations of the last step."""
    m, d = made(stack(*masses), kind)
    mj_step(m, d, 500)
    mj_forward(m, d)
    depth = 1e3 * float(0.2 * len(masses) - 0.1 - d.qpos[7 * len(masses) - 5])
    return f"{depth:.2g} ({d.solver_niter[0]})"


def convergence(method: Splitting, block_size: int, masses: tuple[float, ...]) -> str:
    """Sweeps (2000 at most) from nothing to 1e-8 m/s in the first step of a stack, and the natural map after 20."""
    m, d = made(stack(*masses), "LCP")
    d.qpos[2::7] -= 1e-5 * (1 + np.arange(len(masses)))
    m.tumble.lcp_method, m.tumble.lcp_block = method, block_size
    mj_forward(m, d)
    sweeps = int(d.solver_niter[0])
    left = float(d.solver.gradient[min(20, sweeps) - 1])
    return f"{sweeps if d.lcp_residual <= m.tumble.lcp_tolerance else 'not'} ({left:.0e})"


def iteration_cost(kind: str, count: int) -> str:
    """Microseconds a sweep, or a Newton iteration, for `count` boxes that slide on the ground, and the rows."""
    bodies = "".join(BOX.format(x=k, z=0.0999, tilt=0, mass=1) for k in range(count))
    m, d = made(SCENE.format(tilt=0, bodies=bodies), kind)
    m.opt.disableflags |= mjtDisableBit.mjDSBL_WARMSTART
    d.qvel[::6] = 1.0
    m.tumble.lcp_method = Splitting.SOR
    m.opt.tolerance = m.tumble.lcp_tolerance = 0.0
    times, iterations = [], []
    for limit in (0, 100):
        m.tumble.lcp_sweeps = m.opt.iterations = limit
        mj_forward(m, d)
        best = math.inf
        for _ in range(50):
            start = time.perf_counter()
            mj_forward(m, d)
            best = min(best, time.perf_counter() - start)
        times.append(best)
        iterations.append(int(d.solver_niter[0]))
    return f"{1e6 * (times[1] - times[0]) / iterations[1]:.1f} ({iterations[1]} of them, {d.nefc} rows)"


def errors() -> str:
    """What each model gets wrong."""
    rows: list[tuple[str, Callable[[str], str]]] = [
        ("lift of a block that slides at 1 m/s [mm]", lambda k: f"{lift(k, 1.0):.2g}"),
        ("lift of a block that slides at 4 m/s [mm]", lambda k: f"{lift(k, 4.0):.2g}"),
        ("braking along a tangent [mu g]", lambda k: f"{braking(k, 0):.3f}"),
        ("braking between the tangents [mu g]", lambda k: f"{braking(k, 45):.3f}"),
        ("creep of a sticking block, 20 degrees [mm/s]", lambda k: f"{creep(k):.2g}"),
        ("stack of 5, sinking of the top [mm] (iterations)", lambda k: sinking(k, (1.0,) * 5)),
        ("1 kg under 100 kg, sinking [mm] (iterations)", lambda k: sinking(k, (1.0, 100.0))),
    ]
    return grid(f" | {' | '.join(MODELS)}", [(name, *map(number, MODELS)) for name, number in rows])


def sweeps() -> str:
    """How fast each splitting converges, if it does."""
    scenes = {"one box": (1.0,), "two boxes": (1.0, 1.0), "five boxes": (1.0,) * 5, "1 kg under 10 kg": (1.0, 10.0),
              "1 kg under 100 kg": (1.0, 100.0)}  # fmt: skip
    rows = [(f"{name}{suffix}", *(convergence(method, block_size, masses) for masses in scenes.values()))
            for method, name in NAMES.items() for block_size, suffix in ((0, ""), (1, ", 3x3 blocks"))]  # fmt: skip
    return grid(f"sweeps to 1e-8 m/s (natural map after 20) | {' | '.join(scenes)}", rows)


def costs() -> str:
    """Time of an iteration."""
    counts = (1, 4, 16)
    names = {"soft, cones": "Newton, elliptic cones", "LCP": "LCP sweep, SOR of blocks, with natural map"}
    rows = [(name, *(iteration_cost(kind, count) for count in counts)) for kind, name in names.items()]
    return grid(f"microseconds an iteration, boxes on the ground | {' | '.join(map(str, counts))}", rows)


def table() -> str:
    """What each model gets wrong, how fast it converges, and what that costs."""
    return section("Contact models", "See docs/lcp.md.", errors(), sweeps(), costs())


SOLVERS = {NEWTON: "Newton", CG: "CG", PGS: "PGS"}


def distances(name: str, cone: int) -> list[tuple[object, ...]]:
    """How far each solver is from the optimum of one scene."""
    rm, m = mujoco.MjModel.from_xml_string(SCENES[name]), MjModel.from_xml_string(SCENES[name])
    start, d = pushed(rm, 25), MjData(m)
    lines, best = [], np.zeros(m.nv)
    for solver, told in SOLVERS.items():
        set_way(m, solver, cone, 0, 0)
        put_state(d, start)
        mj_forward(m, d)
        if solver == NEWTON:
            best = d.qacc.copy()
        o = measure(m, d)
        apart = float(np.abs(d.qacc - best).max() / (1 + np.abs(best).max()))
        numbers = (o.motion, o.admissible, o.projection, o.gap, apart)
        kind = ("pyramids", "cones")[cone]
        lines.append((f"{name}, {kind}", d.nefc, told, d.solver_niter.max(), *(f"{x:.0e}" for x in numbers)))
    return lines


def optimality() -> str:
    """The numbers of docs/optimality.md."""
    rows = [row for name in SCENES if name not in ("flight", "override") for cone in (0, 1) for row in distances(name, cone)]
    head = "scene | rows | solver | iterations | motion | admissible | projection | gap | from Newton"
    return section("Optimality", "See docs/optimality.md.", grid(head, rows))

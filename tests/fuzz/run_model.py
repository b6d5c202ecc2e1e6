"""What is done with every model that loads: steps, forward and inverse dynamics, rays, by its options and by drawn ones."""

import contextlib
import random
from typing import Any

from tumble import physics
from tumble.physics.errors import MisfitError

# What a program may write into a model's options: valid and not.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "solver": (0, 1, 2, 2, 1, 0, 3, -1), "cone": (0, 1, 2, -1), "integrator": (0, 0, 1, 1, 2, 3, 9), "jacobian": (0, 1, 2, 7),
    "iterations": (0, 1, 100, -1, 2**31 - 1), "ls_iterations": (0, 1, 50, -5, 2**31 - 1),
    "tolerance": (0.0, 1e-8, -1.0, float("nan"), float("inf"), 1e-300), "ls_tolerance": (0.0, 0.01, -1.0, float("nan")),
    "timestep": (0.002, 0.0, -0.01, float("nan"), 1e300, 1e-300, float("inf")),
    "impratio": (1.0, 0.0, -1.0, 1e300, float("nan")), "density": (0.0, 1e300, -5.0, float("nan")), "viscosity": (0.0, 1e10),
    "o_margin": (0.0, 1e10, float("nan"), -1.0), "disableflags": (0, 1, 2**10, 2**21 - 1),
    "enableflags": (0, 1, 2, 31, 2**31 - 1), "noslip_iterations": (0, 5),
    "ccd_iterations": (0, 35, 2**31 - 1), "disableactuator": (0, 1, -1),
}  # fmt: skip
# Options of ours: m.tumble.
OWN: dict[str, tuple[Any, ...]] = {
    "lcp_method": (3, 0, 1, 2, 4), "lcp_block": (1, 0, -7), "lcp_omega": (1.3, 0.1, 1.99, 2.0, float("nan")),
    "lcp_sweeps": (200, 0, 1, 20, -1), "lcp_tolerance": (1e-8, 0.0, 1e300, float("nan")),
    "lcp_stabilization": (0.2, 0.0, 1.0, float("nan")), "lcp_slop": (1e-4, 0.0, 1e300, float("inf")),
    "lcp_speed": (1.0, 0.0, 1e300), "lcp_restitution": (0.0, 0.5, 1.0), "lcp_rest": (0.05, 0.0, 1e300),
}  # fmt: skip
# Those of signed distance fields, drawn for models that have any.
FIELD: dict[str, tuple[int, ...]] = {"sdf_initpoints": (0, 5, 40, -1, 2**31 - 1), "sdf_iterations": (0, 10, -1, 2**31 - 1)}
_MOST_ROWS = 1500
# With more iterations than usual: a sweep costs the square of the rows, and the most that a solver makes are 10,000, which of
# 1,500 rows take as long here as in the reference, 11 s.
_MOST_SWEPT, _USUAL = 300, 100
INPUTS = (0.0, 1.0, -1e3, 1e300, float("nan"), float("inf"), 1e9, 1e-300)


def cast_rays(m: Any) -> None:
    """Rays from above and from the side, through all that the model's files made."""
    if m.nhfield or m.nmesh:
        d = physics.MjData(m)
        physics.mj_forward(m, d)
        for k in range(20):
            physics.mj_ray(m, d, (0.1 * k - 1, 0.05 * k, 3 - 0.2 * k), (0.3, -0.2, k / 10 - 2), None, 1, -1)


def simulate(m: Any, rng: random.Random, other: random.Random) -> None:
    """Steps, forward and inverse dynamics and a reset, with the model's options, then three times with drawn ones.

    other: draws what _choose_paths chooses, so that kept cases keep all that rng has drawn for them.
    """
    try:
        d = physics.MjData(m)
        _run(m, d, 20)
    except physics.ModelError:
        if m.nv >= 1000:
            return
        d = physics.MjData(m)
    if d.nefc > _MOST_ROWS:
        return  # a drawn solver may want a number for each pair of rows: gigabytes, which is said where it is too much
    for _ in range(3):
        for name in rng.sample(sorted(OPTIONS), 4):
            _put(m.opt, name, rng.choice(OPTIONS[name]))
        if rng.random() < 0.6:
            m.opt.solver, m.opt.integrator = rng.randrange(3), rng.randrange(4)
        _choose_paths(m, other)
        for inputs in (d.qpos, d.qvel, d.ctrl, d.xfrc_applied, d.qfrc_applied, d.mocap_pos, d.act):
            if rng.random() < 0.3 and inputs.size:
                inputs.flat[rng.randrange(inputs.size)] = rng.choice(INPUTS)
        try:
            _run(m, d, 3)
        except physics.ModelError:
            continue  # an option that is not valid, or a scene too large: said, not suffered


def _choose_paths(m: Any, rng: random.Random) -> None:
    """Often choose what single options seldom do: sparse problems, either cone, no islands, the no-slip pass, hard contacts."""
    if rng.random() < 0.5:
        m.opt.jacobian, m.opt.cone = rng.randrange(3), rng.randrange(2)
    if rng.random() < 0.2:
        m.opt.disableflags ^= 1 << 18  # mjDSBL_ISLAND
    m.opt.noslip_iterations = 4 if rng.random() < 0.2 else 0
    m.tumble.contact_model = int(rng.random() < 0.4)
    for name in rng.sample(sorted(OWN), 2):
        _put(m.tumble, name, rng.choice(OWN[name]) if rng.random() < 0.5 else OWN[name][0])
    if m.nplugin + m.noct:
        for name, values in FIELD.items():
            _put(m.opt, name, rng.choice(values))


def _put(options: Any, name: str, value: float) -> None:
    """Set an option; what is not valid is refused, and the option stays as it was."""
    with contextlib.suppress(MisfitError):
        setattr(options, name, value)


def _run(m: Any, d: Any, steps: int) -> None:
    physics.mj_fwdPosition(m, d)  # rows are known before anything is solved
    if d.nefc > _MOST_SWEPT and m.opt.iterations > _USUAL:
        return
    physics.mj_forward(m, d)
    if d.nefc > _MOST_ROWS:
        return  # a step of so many contacts takes seconds: slow, but no hang
    physics.mj_step(m, d, steps)
    physics.mj_forward(m, d)
    physics.mj_inverse(m, d)
    physics.mj_step1(m, d)
    physics.mj_step2(m, d)
    if m.nkey:
        physics.mj_resetDataKeyframe(m, d, 0)
    physics.mj_forward(m, d)

"""Writes to arrays of models and data, and calls between them: an error that says which, or numbers.

A mutant is a list in JSON: the name of a seed, then writes `[block, field, place, value]` and calls `["call", name]`. A place
counts through the array, -1 is all of it; a value in a list is the place of another number of that array.
"""

import contextlib
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.fuzz import run_model
from tests.fuzz.asset_seeds import Files
from tests.fuzz.seeds import seeds
from tumble import physics
from tumble.physics.errors import PhysicsError
from tumble.physics.state.fields import DATA, MODEL

_FAR = 2**31 - 1
_WHOLE = (-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 13, 99, 255, 10**6, _FAR, -_FAR - 1)
_REAL = (0.0, 1.0, -1.0, 1e-300, 1e300, 1e9, -1e9, float("nan"), float("inf"))
_BLOCKS = {
    "m": [f for f in MODEL if f.shape and f.name not in ("names", "paths")],
    "d": [f for f in DATA if f.shape],
}


def _jacobian(m: Any, d: Any) -> None:
    for body in range(m.nbody):
        physics.mj_jacBody(m, d, np.zeros((3, m.nv)), np.zeros((3, m.nv)), body)


def _rays(m: Any, d: Any) -> None:
    for k in range(8):
        physics.mj_ray(m, d, np.array((0.3 * k - 1, 0.1 * k, 3.0)), np.array((0.1, -0.1, k - 4.0)), None, 1, -1, None)


def _copy(m: Any, d: Any) -> None:
    physics.mj_copyData(physics.MjData(m), m, d)


def _distances(m: Any, d: Any) -> None:
    for geom in range(min(m.ngeom, 20)):
        physics.mj_geomDistance(m, d, geom, m.ngeom - 1 - geom, 1.0, None)


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "step": lambda m, d: physics.mj_step(m, d, 3), "jacobian": _jacobian, "rays": _rays, "copy": _copy, "distances": _distances,
} | {
    name: getattr(physics, f"mj_{name}")
    for name in (
        "forward", "inverse", "step1", "step2", "resetData", "setConst", "kinematics", "comPos", "makeM", "collision",
        "makeConstraint", "fwdVelocity", "fwdActuation", "fwdAcceleration", "fwdConstraint", "projectConstraint", "island",
        "rnePostConstraint", "sensorPos", "sensorVel", "sensorAcc", "tendon", "transmission", "passive", "energyPos", "Euler",
        "subtreeVel", "compareFwdInv",
    )
}  # fmt: skip


def writes_of(rng: random.Random) -> bytes:
    """One to six writes; of real numbers in half of the mutants."""
    real, made = rng.random() < 0.5, [rng.choice(sorted(seeds()))]
    for _ in range(rng.randint(1, 6)):
        block = rng.choice("mmmd")
        field = rng.choice([f for f in _BLOCKS[block] if real or not f.dtype.startswith("f")])
        other = [rng.randrange(_FAR)] if rng.random() < 0.4 else rng.choice(_REAL if field.dtype.startswith("f") else _WHOLE)
        made.append([block, field.name, rng.choice((-1, 0, 1, *[rng.randrange(_FAR)] * 4)), other])
        made += [["call", rng.choice(sorted(CALLS))]] * (rng.random() < 0.6)
    return json.dumps(made).encode()


def open_writes(files: Files, folder: Path, seed: int) -> None:
    """Write as a mutant says, and step with the model's options and with drawn ones; the last clear error is raised again.

    Raises ArithmeticError for a state that is not finite though only whole numbers were written.
    """
    name, *steps = json.loads(files["writes.json"])
    rng = random.Random(seed)
    m = physics.MjModel.from_xml_string(seeds()[name])
    d, real, refused = physics.MjData(m), False, None
    physics.mj_step(m, d)
    paths = [["call", word] for word in ("step", "inverse", "rays", "options", "step", "options", "resetData", "step")]
    for step in [*steps, *paths]:
        try:
            if step[0] != "call":
                real |= _write({"m": m, "d": d}[step[0]], *step[1:])
            elif step[1] == "options":
                run_model._choose_paths(m, rng)
            else:
                CALLS[step[1]](m, d)
        except PhysicsError as error:
            refused = error
    if not real and not all(np.isfinite(values).all() for values in (d.qpos, d.qvel, d.act)):
        raise ArithmeticError(f"a state that is not finite, and {refused}")
    if refused is not None:
        raise refused


def _write(block: Any, name: str, place: int, value: Any) -> bool:
    """Write numbers to an array, unless it can only be read; whether they are real."""
    array = getattr(block, name)
    if not array.size:
        return False
    if isinstance(value, list):
        value = array.flat[value[0] % array.size]
    with contextlib.suppress(ValueError), np.errstate(all="ignore"):  # it is read-only
        array.flat[slice(None) if place < 0 else place % array.size] = np.array(value).astype(array.dtype)
    return array.dtype.kind == "f"

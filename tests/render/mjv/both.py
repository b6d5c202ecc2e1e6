"""One scene in both engines: the same model and positions, and the abstract pictures that each lists of it."""

from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import mujoco
import numpy as np

from tumble import mujoco as ours
from tumble import physics

EVERYTHING = Path(__file__).with_name("everything.xml")
FIELDS = (
    "type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid", "size", "pos", "mat", "rgba", "emission",
    "specular", "shininess", "reflectance", "modelrbound",
)  # fmt: skip
Listed = tuple[list[str], np.ndarray]  # labels; a row of the fields for each geom


@cache
def both() -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Model and data of the reference, then ours, after 20 of the reference's steps."""
    theirs = mujoco.MjModel.from_xml_path(str(EVERYTHING))
    data = mujoco.MjData(theirs)
    data.ctrl[:] = 0.3
    mujoco.mj_step(theirs, data, 20)
    data.qvel[:] = 0.0
    data.xfrc_applied[1] = 1.0, 2.0, 3.0, 0.1, 0.2, 0.3
    mujoco.mj_forward(theirs, data)
    model = physics.MjModel.from_xml_path(str(EVERYTHING))
    mine = physics.MjData(model)
    for name in ("qpos", "act", "ctrl", "xfrc_applied"):
        getattr(mine, name)[:] = getattr(data, name)
    physics.mj_forward(model, mine)
    return (theirs, data), (model, mine)


def listed(lib: ModuleType, model: Any, data: Any, flags: dict[int, int], catmask: int = 7, **option: Any) -> Listed:
    """The geoms that a library lists; flags and fields of the options; `pert`: fields of the perturbation."""
    chosen, pert = lib.MjvOption(), None
    for flag, value in flags.items():
        chosen.flags[flag] = value
    held = option.pop("pert", None)
    if held is not None:
        pert = lib.MjvPerturb()
        for name, value in held.items():
            setattr(pert, name, value)
    for name, value in option.items():
        setattr(chosen, name, value)
    scene = lib.MjvScene(model, 200)
    lib.mjv_updateScene(model, data, chosen, pert, lib.MjvCamera(), catmask, scene)
    geoms = scene.geoms[: scene.ngeom]
    numbers = [np.concatenate([np.ravel(getattr(geom, name)) for name in FIELDS]) for geom in geoms]
    return [geom.label for geom in geoms], np.array(numbers)


def assert_alike(first: Listed, second: Listed) -> None:
    """The same geoms in the same order; numbers of four digits, for contacts are solved by each."""
    assert first[0] == second[0]
    np.testing.assert_array_equal(first[1][:, :8], second[1][:, :8])  # whole numbers
    np.testing.assert_allclose(first[1], second[1], rtol=2e-3, atol=2e-4)


__all__ = ["assert_alike", "both", "listed", "mujoco", "ours"]

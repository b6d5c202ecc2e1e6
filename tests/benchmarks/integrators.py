"""The implicit integrators against the reference's, on the same models."""

from pathlib import Path

import numpy as np

from tests.benchmarks import robots
from tests.benchmarks.markdown import grid, section
from tests.benchmarks.speed import compare
from tests.physics.scenes import GYM
from tumble import physics

NAMES = ("humanoid", "ant", "half_cheetah", "pusher_v5")  # of Gymnasium's models
ROBOTS = ("suite/dog", "panda/robot", "ur5e/robot", "sawyer/robot", "hand/manipulate_block", "models/arm")
INTEGRATORS = (int(physics.mjtIntegrator.mjINT_IMPLICITFAST), int(physics.mjtIntegrator.mjINT_IMPLICIT))


def files() -> list[Path]:
    """The models that are on this machine."""
    chosen = [path for path in robots.files() if f"{path.parent.name}/{path.stem}" in ROBOTS]
    return [*(path for path in GYM if path.stem in NAMES), *chosen]


def table() -> str:
    """A row for each model."""
    rows, ratios = [], []
    for path in files():
        found = [compare(path, integrator)[:3] for integrator in INTEGRATORS]
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

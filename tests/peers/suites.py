"""The suites: tests that packages bring, and environments that they register. Nothing of them is copied."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

WHEEL = ("bindings", "rollout", "specs", "renderer", "render", "minimize", "msh2obj", "viewer", "memory_leak")

# Those of mjx that need no accelerator: models and data from an engine to JAX and back, which take minutes, and the stages of a
# step, which take hours to compile on two cores.
MJX_MODELS = tuple(f"_src/{name}_test.py" for name in ("dataclasses", "io", "math", "mesh", "scan", "support"))
_STAGES = ("collision_driver", "constraint", "forward", "inverse", "passive", "ray", "sensor", "smooth", "solver")
MJX_STEPS = tuple(f"_src/{name}_test.py" for name in _STAGES)
# Compiling takes most of the time of each of its tests, which run once.
JAX = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true",
}


class Suite(Struct, frozen=True):
    """Tests of an installed package.

    package: its name as it is imported.
    distribution: its name as it is installed.
    patience: seconds that one test may take, on a loaded computer, before it counts as hanging.
    runner: `modules` loads test modules with unittest, `pytest` runs a folder with pytest, `environments` steps environments.
    parts: folders and modules of the package, where not all of it is a suite.
    settings: environment variables of its processes.
    """

    package: str
    distribution: str
    runner: str = "modules"
    patience: float = 120.0
    parts: tuple[str, ...] = ()
    settings: dict[str, str] = {}


SUITES = {
    **{name: Suite("mujoco", "mujoco") for name in WHEEL},
    "sysid": Suite("mujoco.sysid", "mujoco", "pytest", 300),
    "mjcf": Suite("dm_control", "dm_control", parts=("mjcf",)),
    "composer": Suite("dm_control", "dm_control", parts=("composer", "entities", "manipulation")),
    "wrapper": Suite("dm_control", "dm_control", parts=("mujoco", "rl", "utils", "_render", "viewer")),
    "suite": Suite("dm_control", "dm_control", parts=("suite",)),
    "locomotion": Suite("dm_control", "dm_control", patience=300, parts=("locomotion",)),
    "gymnasium": Suite("gymnasium", "gymnasium", "environments"),
    "gymnasium_robotics": Suite("gymnasium_robotics", "gymnasium-robotics", "environments"),
    "metaworld": Suite("metaworld", "metaworld", "environments"),
    "robosuite": Suite("robosuite", "robosuite", "environments", 300),
    "mjx_models": Suite("mujoco.mjx", "mujoco-mjx", patience=400, parts=MJX_MODELS, settings=JAX),
    "mjx_steps": Suite("mujoco.mjx", "mujoco-mjx", patience=400, parts=MJX_STEPS, settings=JAX),
    "warp": Suite("mujoco_warp", "mujoco-warp", patience=300, parts=("_src",)),
}


def installed(suite: Suite) -> str | None:
    """The version of a suite's package, or None where it is missing."""
    try:
        return version(suite.distribution)
    except PackageNotFoundError:
        return None


def modules(name: str) -> Iterator[tuple[str, Path]]:
    """Test modules of a suite, by the name that its tests are reported under."""
    suite = SUITES[name]
    if name in WHEEL:
        spec = find_spec("mujoco")
        assert spec is not None
        assert spec.origin is not None
        yield name, Path(spec.origin).parent / f"{name}_test.py"
        return
    root = Path(next(iter(import_module(suite.package).__path__)))
    for part in suite.parts or ("",):
        place = root / part
        for path in [place] if place.is_file() else sorted(place.rglob("*_test.py")):
            yield ".".join([suite.package, *path.relative_to(root).with_suffix("").parts]), path

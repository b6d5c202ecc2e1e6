"""Places where models are searched by name: the user's folders, the bundled examples, installed packages, other programs' caches.

Packages are found on Python's path and not imported: a look at their files is enough, and nothing of theirs runs.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tumble.app.library.examples import EXAMPLES
from tumble.app.library.folders import KnownModel, models_in, normal

VARIABLE = "TUMBLE_MODELS"


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A group of models. key: what stands before a name to say which is meant; folders: where they lie, each with its models.

    own: a folder of the user's, kept in the settings, which can be forgotten again.
    """

    key: str
    title: str
    folders: tuple[Path, ...]
    own: bool = False

    def models(self) -> list[KnownModel]:
        """Models by place. Reads the disk."""
        if self.key == BUNDLED:
            return [
                KnownModel(example.title, example.path, (normal(stem),), (normal(f"{BUNDLED}/{stem}"),))
                for example in EXAMPLES
                for stem in [example.path.stem]
            ]
        return [model for folder in self.folders for model in models_in(folder, self.key)]


@dataclass(frozen=True, slots=True)
class Package:
    """A Python package that brings MJCF files: its name, and the folders inside it that have whole models."""

    name: str
    folders: tuple[str, ...]


BUNDLED = "examples"
PACKAGES = (
    Package("gymnasium", ("envs/mujoco/assets",)),
    Package("gymnasium_robotics", ("envs/assets", "envs/mujoco/assets")),
    Package("dm_control", ("suite", "locomotion/walkers/assets", "locomotion/soccer/assets")),
    Package("metaworld", ("assets/sawyer_xyz",)),
    Package("robosuite", ("models/assets/robots", "models/assets/grippers", "models/assets/arenas")),
    Package(
        "mujoco_playground",
        ("_src/locomotion", "_src/manipulation", "_src/dm_control_suite/xmls", "external_deps/mujoco_menagerie"),
    ),
)
# Where programs keep models that they have downloaded: the variable that names the folder, its place in the home, its key.
CACHES = (
    ("ROBOT_DESCRIPTIONS_CACHE", "robot_descriptions", "robot_descriptions"),
    ("MENAGERIE_CACHE_DIR", "mujoco_menagerie", "mujoco_menagerie"),
)


def sources(stored: Sequence[str] = (), environment: Mapping[str, str] = os.environ) -> tuple[list[ModelSource], list[str]]:
    """All sources that exist, in the order in which a name is looked up, and a line for each folder that does not.

    stored: the folders in the user's settings.
    """
    found, remarks = [], []
    named = [part for part in environment.get(VARIABLE, "").split(os.pathsep) if part.strip()]
    for text, origin in [*((part, VARIABLE) for part in named), *((part, "the settings") for part in stored)]:
        folder = Path(os.path.expanduser(text.strip())).absolute()
        if os.path.isdir(folder):
            found.append(ModelSource(folder.name, str(folder), (folder,), own=origin != VARIABLE))
        else:
            remarks.append(f"{folder}, which {origin} name{'s' if origin == VARIABLE else ''}, is no folder")
    found.append(ModelSource(BUNDLED, "Examples", ()))
    return [*_once(found), *_packages(), *_caches(environment)], remarks


def _once(found: list[ModelSource]) -> list[ModelSource]:
    """Without folders that were named before."""
    first: dict[tuple[Path, ...], ModelSource] = {}
    for source in found:
        first.setdefault(source.folders, source)
    return list(first.values())


def _packages() -> Iterator[ModelSource]:
    for package in PACKAGES:
        base = package_folder(package.name)
        folders = () if base is None else tuple(folder for name in package.folders if os.path.isdir(folder := base / name))
        if folders:
            yield ModelSource(package.name, package.name, folders)


def package_folder(name: str) -> Path | None:
    """The folder of a package, which is not imported; None: it is not installed."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):  # one that is half installed, or stands in sys.modules without a specification
        return None
    places = [] if spec is None else list(spec.submodule_search_locations or ())
    return Path(places[0]) if places else None


def _caches(environment: Mapping[str, str]) -> Iterator[ModelSource]:
    base = environment.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    for variable, place, key in CACHES:
        folder = Path(os.path.expanduser(environment.get(variable) or os.path.join(base, place))).absolute()
        if os.path.isdir(folder):
            yield ModelSource(key, f"{key} (downloaded)", (folder,))

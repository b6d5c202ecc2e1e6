"""Libraries of plugins: MuJoCo's own plugins are parts of the engine, so there is nothing to load for them."""

from __future__ import annotations

from pathlib import Path

from tumble.physics.errors import ModelError
from tumble.physics.state.arguments import checked

_OWN = ("actuator", "elasticity", "sdf_plugin", "sensor")
_SUFFIXES = (".so", ".dylib", ".dll")


@checked
def mj_loadPluginLibrary(path: str) -> None:
    """Accept a library of MuJoCo's own plugins. Raises ModelError for another one: its code needs MuJoCo's memory."""
    if Path(path).stem.removeprefix("lib") not in _OWN:
        raise ModelError(f"{path}: libraries of plugins cannot be loaded; built in are those of {', '.join(_OWN)}")


@checked
def mj_loadAllPluginLibraries(directory: str) -> None:
    """The same for all libraries of a folder."""
    folder = Path(directory)
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        if file.suffix in _SUFFIXES:
            mj_loadPluginLibrary(str(file))

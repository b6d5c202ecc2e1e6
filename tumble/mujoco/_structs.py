"""`mujoco._structs`: the classes of models, data and their parts, under the module's name that some programs write."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tumble.physics.state.structs.results import MjContactList as _MjContactList
from tumble.physics.state.structs.results import MjSolverStatList as _MjSolverStatList
from tumble.physics.state.structs.results import MjTimerStatList as _MjTimerStatList
from tumble.physics.state.structs.results import MjWarningStatList as _MjWarningStatList

__all__ = ["_MjContactList", "_MjSolverStatList", "_MjTimerStatList", "_MjWarningStatList"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # any class of the namespace
    if not name.startswith("Mj"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(__package__), name)

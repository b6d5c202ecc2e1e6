"""`mujoco._functions`: all functions, under the module's name that some programs write, and one that only these know."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from tumble.physics.state.components import realloc_con_efc as _realloc_con_efc

__all__ = ["_realloc_con_efc"]


def __getattr__(name: str) -> Any:  # noqa: ANN401  # any function of the namespace
    if not name.startswith("mj") or name.startswith("mjt"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(__package__), name)

"""The signed distance functions that are known, by name and by number: those of shapes.py, and users'."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tumble.physics.callback.table import changed
from tumble.physics.collision.sdf.functions import SdfFunction
from tumble.physics.collision.sdf.shapes import BUILT_IN
from tumble.physics.errors import ArgumentError, ModelError, quoted
from tumble.physics.state.arguments import checked
from tumble.physics.state.plugins import plugin_number

_known: dict[str, SdfFunction] = {}
_ever: list[SdfFunction] = []  # models may hold the address of one that was replaced until they look again
_numbers_of: dict[int, str] = {}  # names by what m.plugin has


def register(function: SdfFunction) -> SdfFunction:
    """Make a function known by its name; one of the same name takes the place of the former."""
    _numbers_of[plugin_number(function.name)] = function.name
    _known[function.name] = function
    _ever.append(function)
    return function


def forget(name: str) -> None:
    """Take a function of the user's out."""
    _known.pop(name, None)


def find(name: str) -> SdfFunction | None:
    """The function of a name."""
    return _known.get(name)


def at(index: int) -> SdfFunction:
    """The function that m.plugin names. Raises ModelError if it is not there any more."""
    name = _numbers_of.get(index, str(index))
    if name not in _known:
        raise ModelError(f"the signed distance function {name} is not registered: see set_sdf")
    return _known[name]


def name_at(index: int) -> str:
    """The name of a function by its number in m.plugin, "" if it was never registered here."""
    return _numbers_of.get(index, "")


def names() -> list[str]:
    """All names."""
    return list(_known)


for _function in BUILT_IN:
    register(_function)


_OWN = "mujoco."


def set_sdf(
    name: str, function: Callable[..., Any] | None, attributes: Mapping[str, float] | None = None,
    bounds: float | Sequence[float] | Callable[..., Any] = 1.0,
) -> None:  # fmt: skip
    """Register function(point, attributes) -> signed distance [m], negative inside, as `<plugin plugin="name">`; None: remove it.

    function: compiled (physics.compiled) or in Python; point: three numbers [m] in the geom's frame; attributes: array of
    their values, in the order in which `attributes` has names and defaults. bounds: half the sides of a box around the
    origin that holds the surface [m], three numbers or one, or a function of the attributes that returns them. Models that
    are loaded use a new function of the name from their next step on; their meshes stay. TypeError for what cannot be
    called, ModelError for names of functions that are built in, too many attributes, or what does not compile.
    """
    if not isinstance(name, str):
        raise ArgumentError(f"set_sdf takes the name of a signed distance function, not {quoted(name)}")
    if name.startswith(_OWN):
        raise ModelError(f'"{name}": names that begin with "{_OWN}" are those of functions that are built in')
    if function is None:
        forget(name)
    else:
        made = SdfFunction(name, function, attributes or {}, _bounds(bounds))
        made.address  # noqa: B018  # compiles
        register(made)
    changed()


@checked
def get_sdf(name: str) -> Callable[..., Any] | None:
    """The signed distance function of a name, None if there is none."""
    function = find(name)
    return None if function is None else function.distance


def _bounds(given: Any) -> Callable[[np.ndarray], tuple[float, float, float]]:
    def bounds(attributes: np.ndarray) -> tuple[float, float, float]:
        half = np.broadcast_to(np.asarray(given(attributes) if callable(given) else given, float), 3)
        return float(half[0]), float(half[1]), float(half[2])

    return bounds

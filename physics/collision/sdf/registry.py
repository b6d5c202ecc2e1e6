"""The signed distance functions that are known, by name and by number: those of shapes.py, and users'."""

from __future__ import annotations

import zlib

from tumble.physics.collision.sdf.functions import SdfFunction
from tumble.physics.collision.sdf.shapes import BUILT_IN
from tumble.physics.errors import ModelError

_known: dict[str, SdfFunction] = {}
_ever: list[SdfFunction] = []  # models may hold the address of one that was replaced until they look again
_numbers_of: dict[int, str] = {}  # names by what m.plugin has


def register(function: SdfFunction) -> SdfFunction:
    """Make a function known by its name; one of the same name takes the place of the former."""
    _numbers_of[place(function.name)] = function.name
    _known[function.name] = function
    _ever.append(function)
    return function


def forget(name: str) -> None:
    """Take a function of the user's out."""
    _known.pop(name, None)


def find(name: str) -> SdfFunction | None:
    """The function of a name."""
    return _known.get(name)


def place(name: str) -> int:
    """The number that m.plugin has for a name: the same in every process, for a saved model has it."""
    return zlib.crc32(name.encode()) >> 1


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

"""Colliders of the user's, one for each two types of geoms: what the reference keeps in mjCOLLISIONFUNC.

One in Python is reached through one C function, which finds the model and the data by their addresses and the collider by
the types of the geoms that it is asked about. Its points are checked before they are stored; those of a compiled one are
checked by the kernel that calls it (physics/collision/hit.py), which cannot raise: table.settle does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tumble.physics.callback.table import IN_PYTHON, MOVED, RAISED, address_of, changed
from tumble.physics.errors import ModelError, quoted
from tumble.physics.kernel.function import D, M
from tumble.physics.state.block import BY_ADDRESS
from tumble.physics.state.constants import mjMAXCONPAIR
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.structs.struct import whole

Array = NDArray[np.float64]
_Types = tuple[int, int]
_Point = tuple[float, Any, Any]  # distance [m], position (3,) [m], normal or frame

# What the user gave for two types, the lower one first; False: these never collide.
_INSTALLED: dict[_Types, object] = {}
ADDRESSES: dict[_Types, int] = {}  # of what kernels call then; 0: nothing

_FRAMES = (3, 6, 9)  # numbers of a normal, of normal and tangent, of a whole frame


def install(type1: int, type2: int, what: object) -> None:
    """Have a collider find the contacts of two types of geoms, see public.py. Raises TypeError, ModelError."""
    types = _ordered(type1, type2)
    if what is None:
        _INSTALLED.pop(types, None)
        ADDRESSES.pop(types, None)
    elif what is False:
        _INSTALLED[types], ADDRESSES[types] = False, 0
    else:
        address = address_of(f"collisions of {_named(types)}", what, (M, D), "set_mjCOLLISIONFUNC")
        ADDRESSES[types] = _through() if address == IN_PYTHON else address
        _INSTALLED[types] = what
    changed()


def installed(type1: int, type2: int) -> object:
    """Collider installed for two types of geoms; None without one, False if they never collide."""
    return _INSTALLED.get(_ordered(type1, type2))


def remove_all() -> None:
    """Restore the built-in colliders."""
    _INSTALLED.clear()
    ADDRESSES.clear()
    changed()


def _ordered(type1: int, type2: int) -> _Types:
    count, type1, type2 = int(mjtGeom.mjNGEOMTYPES), whole(type1), whole(type2)
    if not (0 <= type1 < count and 0 <= type2 < count):
        raise ModelError(f"geoms have types 0 to {count - 1} (mjtGeom), not {type1} and {type2}")
    return int(min(type1, type2)), int(max(type1, type2))


def _named(types: _Types) -> str:
    """Two types in words."""
    return " and ".join(mjtGeom(kind).name.removeprefix("mjGEOM_").lower() for kind in types)


@cache
def _through() -> int:
    """The address of the C function that calls colliders in Python; made once, kept as long as the process."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64)(_call)
    _KEPT.append(function)
    return ctypes.cast(function, ctypes.c_void_p).value or 0


_KEPT: list[object] = []


def _call(m_at: int, d_at: int) -> None:
    """Entry for kernels: call the collider of the pair d.hit_geom1, d.hit_geom2."""
    m, d = BY_ADDRESS[m_at].owner, BY_ADDRESS[d_at]
    assert isinstance(d, Data)
    if d.raised is not None:
        return
    g1, g2, moved = int(d.hit_geom1), int(d.hit_geom2), d.moved
    types = _ordered(*(int(m._arrays["geom_type"][g]) for g in (g1, g2)))
    function: Any = _INSTALLED.get(types)
    d.calling += 1
    try:
        if callable(function):
            _store(d, _named(types), function(m, d, g1, g2, float(d.hit_margin)))
    except BaseException as error:  # noqa: BLE001  # an interrupt too: the caller of mj_step gets it
        d.raised, d.failed = error, RAISED
    finally:
        d.calling -= 1
        if d.moved != moved and d.raised is None:
            d.failed = MOVED


def _store(d: Data, what: str, points: Iterable[_Point] | None) -> None:
    """Report points as a collider does. Raises ModelError for too many, and for what is no point."""
    found = list(islice(points or (), mjMAXCONPAIR + 1))
    if len(found) > mjMAXCONPAIR:
        raise ModelError(f"the collider of {what} found {len(found)} points or more; {mjMAXCONPAIR} are the most")
    dist, pos, frame = (d._arrays[name] for name in ("hit_dist", "hit_pos", "hit_frame"))
    for k, point in enumerate(found):
        dist[k], pos[k], axes = _checked(what, point)
        frame[k] = 0.0
        frame[k, : len(axes)] = axes
    d.inner.hit_num = len(found)


def _checked(what: str, point: _Point) -> tuple[float, Array, Array]:
    """Distance, position (3,), and normal (3,) or normal and tangent (6,) of a point. Raises ModelError if it is none."""
    try:
        far, place, axes = point
        numbers = np.ravel(np.asarray(axes, np.float64))
        values = np.array([float(far), *np.asarray(place, np.float64).reshape(3), *numbers])
    except (TypeError, ValueError, OverflowError) as error:
        wanted = "a point is (distance, position, normal or frame)"
        raise ModelError(f"the collider of {what}: {wanted}, not {quoted(point)}") from error
    if numbers.size not in _FRAMES or not np.isfinite(values).all() or not numbers[:3].any():
        raise ModelError(
            f"the collider of {what} found {quoted(point)}: a distance, a position, and a normal that is not zero, or the 6 or 9 "
            "numbers of a frame, are wanted, all finite"
        )
    return float(values[0]), values[1:4], numbers[:6]

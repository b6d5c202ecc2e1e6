"""The callbacks that are installed, of the whole process as in the reference, and how kernels reach those in Python.

Each place of the pipeline has one C function, made by ctypes when it is first wanted, that lives as long as the process: it
takes Python's lock, finds the model and the data by their addresses, and calls what is installed now. What a callback raises
cannot cross compiled code: it is kept with the data, whose field `failed` stops the pipeline, and is raised once the kernels
have returned (settle).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from itertools import count
from numbers import Integral, Real
from typing import Any

import numpy as np

from tumble.physics.callback.compiled import CompiledCallback
from tumble.physics.errors import ArgumentError, ModelError, quoted
from tumble.physics.kernel.function import FLOAT, INT, VOID, D, M
from tumble.physics.state.block import BY_ADDRESS
from tumble.physics.state.data import Data
from tumble.physics.state.stages import Entry

_Pointer: Any = ctypes.CFUNCTYPE(None).__mro__[1]  # what every function pointer of ctypes is

RAISED, MOVED, NO_POINT, NO_SHAPE = 1, 2, 3, 4  # values of d.failed
IN_PYTHON = -1  # the address of what has none
_MOST_REPEATED = 10  # times in a row that a step is done again because a callback resets the data

_C_TYPES: dict[str, Any] = {M: ctypes.c_int64, D: ctypes.c_int64, INT: ctypes.c_int64, FLOAT: ctypes.c_double, VOID: None}


class Place:
    """A place in the pipeline where a callback can be installed.

    installed: what the user gave; address: of the function that kernels call, 0: none; function: what is called in Python.
    """

    def __init__(self, name: str, entry: Entry, arguments: tuple[str, ...], result: str = VOID) -> None:
        """arguments, result: their kinds, as Compiled takes them."""
        self.name, self.entry, self.arguments, self.result = name, entry, arguments, result
        self.installed: object = None
        self.address = 0
        self.function: Callable[..., object] | None = None

    @cached_property
    def _through(self) -> int:
        """The address of the C function that calls what is installed; made once, kept as long as the process."""
        prototype = ctypes.CFUNCTYPE(_C_TYPES[self.result], *[_C_TYPES[kind] for kind in self.arguments])
        self._kept = prototype(_caller(self))
        return ctypes.cast(self._kept, ctypes.c_void_p).value or 0

    def install(self, what: object) -> None:
        """Install a callback, or remove it with None.

        Raises TypeError for what cannot be called, ModelError for a compiled one that does not compile.
        """
        address = 0 if what is None else address_of(self.name, what, self.arguments, f"set_mjcb_{self.name}", self.result)
        function: Any = what if address == IN_PYTHON else None
        self.function, self.installed, self.address = function, what, self._through if function else address
        changed()


def address_of(name: str, what: object, arguments: tuple[str, ...], by: str, result: str = VOID) -> int:
    """The address of a compiled function for a place, or of a function pointer; IN_PYTHON of a function in Python.

    arguments, result: their kinds; by: what installs it. Raises TypeError and ModelError as Place.install does.
    """
    if isinstance(what, CompiledCallback):
        return what.address(arguments, result)
    if type(what).__module__ == "numba.core.ccallback":
        return int(getattr(what, "address"))  # noqa: B009  # of a cfunc: numba is not imported for its type
    if isinstance(what, _Pointer):
        taken, wanted = what.argtypes, len(arguments)
        if taken is not None and len(taken) != wanted:
            raise ArgumentError(f"a callback for {name} takes {wanted} arguments, {quoted(what)} takes {len(taken)}")
        return ctypes.cast(what, ctypes.c_void_p).value or 0
    if callable(what):
        return IN_PYTHON
    raise not_callable(f"{by} takes a function, a compiled callback, a function pointer of ctypes, or None", what)


def not_callable(what_is: str, what: object) -> TypeError:
    """The error, in the reference's words and then in clearer ones, of what cannot be installed."""
    error = TypeError("callback is not an Optional[Callable]")
    error.add_note(f"{what_is} to remove it; not {quoted(what)}")
    return error


def _caller(place: Place) -> Callable[..., object]:
    """Python functions behind the places that kernels call."""
    convert = {VOID: None, FLOAT: as_number, INT: as_integer}[place.result]

    def call(m_at: int, d_at: int, *numbers: int) -> object:
        function, m, d = place.function, BY_ADDRESS[m_at].owner, BY_ADDRESS[d_at]
        assert isinstance(d, Data)
        if function is None or d.raised is not None:
            return 0 if convert else None
        moved = d.moved
        d.calling += 1
        try:
            value = function(m, d, *numbers)
            return convert(place.name, value) if convert else None
        except BaseException as error:  # noqa: BLE001  # an interrupt too: the caller of mj_step gets it
            d.raised, d.failed = error, RAISED
            return 0 if convert else None
        finally:
            d.calling -= 1
            if d.moved != moved and d.raised is None:
                d.failed = MOVED

    return call


def as_number(name: str, value: object) -> float:
    """A callback's result as a number. Raises TypeError if it is none."""
    if isinstance(value, Real):
        try:
            return float(value)
        except OverflowError:
            pass
    error = TypeError(f"mjcb_{name} callback did not return a number")
    error.add_note(f"{name} must return a number, returned {quoted(value)}")
    raise error


def as_integer(name: str, value: object) -> int:
    """A callback's result as 1 or 0. Raises TypeError if it is neither an integer nor a truth value."""
    if isinstance(value, Integral | np.bool_):
        return int(bool(value))
    raise ArgumentError(f"the callback for {name} must return an integer or a truth value, returned {quoted(value)}")


_counted = count(1)
VERSION = [0]  # a number that changes with every change of what is installed


def changed() -> None:
    """Something else is installed now: models look at it before their next step."""
    VERSION[0] = next(_counted)


CONTROL = Place("control", Entry.CONTROL, (M, D))
PASSIVE = Place("passive", Entry.PASSIVE_CALLBACK, (M, D))
ACT_DYN = Place("act_dyn", Entry.ACT_DYN, (M, D, INT), FLOAT)
ACT_GAIN = Place("act_gain", Entry.ACT_GAIN, (M, D, INT), FLOAT)
ACT_BIAS = Place("act_bias", Entry.ACT_BIAS, (M, D, INT), FLOAT)
SENSOR = Place("sensor", Entry.SENSOR_CALLBACK, (M, D, INT))
CONTACTFILTER = Place("contactfilter", Entry.CONTACT_FILTER, (M, D, INT, INT), INT)
PLACES = (CONTROL, PASSIVE, ACT_DYN, ACT_GAIN, ACT_BIAS, SENSOR, CONTACTFILTER)


def settle(d: Data) -> None:
    """After kernels have returned: raise what a callback raised; else the caller does again what was stopped.

    Raises ModelError if callbacks reset the data every time. Memory that was replaced meanwhile is given back.
    """
    failed, d.failed = d.failed, 0
    if not d.calling:
        d.__dict__.pop("_left", None)
    if failed == RAISED and d.raised is not None:
        error, d.raised = d.raised, None
        d.repeated = 0
        raise error
    if failed == NO_POINT:
        d.repeated = 0
        raise ModelError(
            f"the collider of geoms {d.hit_geom1} and {d.hit_geom2} found a point that is not of finite numbers, or has no normal"
        )
    if failed == NO_SHAPE:
        d.repeated = 0
        raise ModelError(
            f"geom {d.hit_geom1} has no shape: its geom_type is unknown, or the mesh, height field or plugin does not exist that "
            "geom_dataid or geom_plugin names"
        )
    if failed == MOVED:
        d.repeated += 1
        if d.repeated > _MOST_REPEATED:
            d.repeated = 0
            raise ModelError("a callback resets the data, or replaces all their values, whenever it is called: no step ends")

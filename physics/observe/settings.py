"""Settings in which a repeated step, or a fork of a simulation, may differ from its model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from tumble.physics.errors import ArgumentError, ModelError, quoted
from tumble.physics.state.arguments import real
from tumble.physics.state.enums import mjtDisableBit
from tumble.physics.state.model import Model


class SolveSettings(TypedDict, total=False):
    """Settings for solving a step again; those not given are as in the model. Names as in m.opt and m.tumble."""

    solver: int
    cone: int
    jacobian: int
    iterations: int
    tolerance: float
    ls_iterations: int
    ls_tolerance: float
    noslip_iterations: int
    noslip_tolerance: float
    impratio: float
    contact_model: int
    lcp_method: int
    lcp_block: int
    lcp_omega: float
    lcp_sweeps: int
    lcp_tolerance: float
    lcp_stabilization: float
    lcp_slop: float
    lcp_speed: float
    warmstart: bool
    island: bool


class ForkSettings(SolveSettings, total=False):
    """Settings for a fork of a simulation. solref (2,) and solimp (5,): of every contact."""

    timestep: float
    integrator: int
    solref: Sequence[float]
    solimp: Sequence[float]


_FLAGS = {"warmstart": mjtDisableBit.mjDSBL_WARMSTART, "island": mjtDisableBit.mjDSBL_ISLAND}
# Numbers of every contact: the fields of the model that have them.
_CONTACT = {
    "solref": ("opt_o_solref", "geom_solref", "pair_solref"),
    "solimp": ("opt_o_solimp", "geom_solimp", "pair_solimp"),
}


def apply_settings(m: Model, settings: Mapping[str, Any], kind: type = SolveSettings, *, contacts: bool = True) -> None:
    """Give a model the settings; ModelError names those that are valid for this kind of them, ArgumentError what is none.

    contacts: write solref and solimp, which change the model's arrays; False: only check them.
    """
    for name, value in settings.items():
        if name not in kind.__annotations__:
            raise ModelError(f"{name!r} is not a setting {_WHAT[kind]}; valid are {', '.join(kind.__annotations__)}")
        if name in _CONTACT:
            _check_contacts(m, name, value)
            for field in _CONTACT[name] if contacts else ():
                m._arrays[field][...] = value
        elif name in _FLAGS:
            if isinstance(value, np.ndarray) and value.size != 1:
                raise ArgumentError(f"{name} should be true or false, not {quoted(value)} ({type(value).__name__})")
            flags = int(m.opt.disableflags) & ~_FLAGS[name]
            m.opt.disableflags = flags if value else flags | _FLAGS[name]
        elif name == "timestep" and not 0 < real(value, name) < math.inf:
            raise ModelError(f"a timestep of {value:g} s: time would not advance; it must be above 0")
        elif f"tumble_{name}" in m._struct.fields:
            setattr(m.tumble, name, value)
        else:
            setattr(m.opt, name, value)


_WHAT: dict[type, str] = {SolveSettings: "of a solve", ForkSettings: "of a fork"}


def _check_contacts(m: Model, name: str, values: Sequence[float]) -> None:
    need = m._arrays[_CONTACT[name][0]].shape[-1]
    if not isinstance(values, Sequence | np.ndarray) or isinstance(values, str | bytes):
        raise ArgumentError(f"{name} is {need} finite numbers, not {quoted(values)} ({type(values).__name__})")
    numbers = [real(value, name) for value in values]
    if len(numbers) != need or not all(map(math.isfinite, numbers)):
        given = " ".join(f"{number:g}" for number in numbers)
        raise ModelError(f"{name} is {need} finite numbers, not {quoted(given)}")

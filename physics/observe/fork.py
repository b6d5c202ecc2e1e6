"""A fork: the present state of a simulation continues in a second one with other settings.

    other, data = physics.fork(m, d, cone=physics.mjtCone.mjCONE_ELLIPTIC)
    for _ in range(1000):
        physics.mj_step(m, d)
        physics.mj_step(other, data)
    print(abs(data.xpos - d.xpos).max())

With no settings both take the same steps, bit for bit, for as long as their inputs are the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np

from tumble.physics.errors import ArgumentError, ModelError, quoted
from tumble.physics.run.copy_data import mj_copyData
from tumble.physics.run.program import bind, require_integrator, unbind
from tumble.physics.run.room import require
from tumble.physics.state.arguments import real, require_kind
from tumble.physics.state.data import Data
from tumble.physics.state.enums import mjtDisableBit
from tumble.physics.state.model import Model

M = TypeVar("M", bound=Model)
D = TypeVar("D", bound=Data)


def fork(m: M, d: D, **settings: Unpack[ForkSettings]) -> tuple[M, D]:
    """A separate model and data that continue from the state of `d`; only assets are shared.

    Later changes of `m` do not reach the fork. Raises ModelError for a setting that is not valid, for data of another model, and
    where memory is short.
    """
    require(m, d)
    bind(m)  # room for what a model needs is part of what data are made for
    made = variant(m, **settings)
    bind(made)
    data = d.like(made)
    mj_copyData(data, made, d)
    return made, data


def variant(m: M, **settings: Unpack[ForkSettings]) -> M:
    """A model of its own, but for assets, with other settings.

    Raises ArgumentError for what is no model, ModelError for a setting that is not valid.
    """
    require_kind(m, Model, "m", "an MjModel")
    made = m.twin()
    apply_settings(made, settings, ForkSettings)
    unbind(made)
    require_integrator(made)
    return made


def variant_of_fork(m: Model, **settings: Unpack[ForkSettings]) -> Model:
    """The options of `variant` on the arrays of `m`, which are not copied: to check settings, and to prepare kernels for a fork.

    Solref and solimp are checked and left as they are. Raises as `variant` does.
    """
    require_kind(m, Model, "m", "an MjModel")
    made = m.shadow()
    apply_settings(made, settings, ForkSettings, contacts=False)
    unbind(made)
    require_integrator(made)
    return made


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
    lcp_restitution: float
    lcp_rest: float
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

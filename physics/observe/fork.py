"""A fork: the present state of a simulation continues in a second one with other settings.

    other, data = physics.fork(m, d, cone=physics.mjtCone.mjCONE_ELLIPTIC)
    for _ in range(1000):
        physics.mj_step(m, d)
        physics.mj_step(other, data)
    print(abs(data.xpos - d.xpos).max())

With no settings both take the same steps, bit for bit, for as long as their inputs are the same.
"""

from __future__ import annotations

from typing import TypeVar, Unpack

from tumble.physics.dispatch.program import bind, require_integrator, unbind
from tumble.physics.dispatch.room import require
from tumble.physics.observe.settings import ForkSettings, apply_settings
from tumble.physics.run.memory import mj_copyData
from tumble.physics.state.arguments import require_kind
from tumble.physics.state.data import Data
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

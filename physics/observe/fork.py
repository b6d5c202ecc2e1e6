"""A fork: the present state of a simulation continues in a second one with other settings.

    other, data = physics.fork(m, d, cone=physics.mjtCone.mjCONE_ELLIPTIC)
    for _ in range(1000):
        physics.mj_step(m, d)
        physics.mj_step(other, data)
    print(abs(data.xpos - d.xpos).max())

With no settings both take the same steps, bit for bit, for as long as their inputs are the same.
"""

from __future__ import annotations

from typing import Unpack

from physics.dispatch.program import bind, require_integrator, unbind
from physics.observe.settings import ForkSettings, apply_settings
from physics.state.components import mj_copyData
from physics.state.data import Data
from physics.state.model import Model


def fork(m: Model, d: Data, **settings: Unpack[ForkSettings]) -> tuple[Model, Data]:
    """A separate model and data that continue from the state of `d`; only assets are shared.

    Later changes of `m` do not reach the fork. Raises ModelError for a setting that is not valid, and where memory is short.
    """
    made = variant(m, **settings)
    bind(made)
    data = Data(made)
    mj_copyData(data, made, d)
    return made, data


def variant(m: Model, **settings: Unpack[ForkSettings]) -> Model:
    """A model of its own, but for assets, with other settings. Raises ModelError for one that is not valid."""
    made = m.twin()
    apply_settings(made, settings, ForkSettings)
    unbind(made)
    require_integrator(made)
    return made

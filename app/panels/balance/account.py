"""The account of energy over the last seconds: the history is played again on a copy, in the background."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.session.history import Cut
from tumble.app.session.playback import Check, PastWork, Playback
from tumble.physics.observe.energy_account import IN_ENERGY, EnergyAccount, EnergySeries

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST_STEPS = 5000  # of an account: the last ones of the time that is asked for


class EnergyReport(Struct, frozen=True, eq=False):
    """An account, for display. seconds: that making it took; origin, ident (k,): of work and curves, as in EnergySeries.

    dof: of the forces.
    """

    series: EnergySeries
    dof: int
    seconds: float

    @property
    def given(self) -> NDArray[np.float64]:
        """Energy from each origin over the whole time (k,) [J]."""
        return np.asarray(self.series.work.sum(axis=0))

    @property
    def counted(self) -> NDArray[np.bool_]:
        """Origins (k,) that give or take energy: not those whose energy is kinetic or potential."""
        return ~np.isin(self.series.origin, IN_ENERGY)


class Accounts(PastWork):
    """Makes accounts of one session. done: a report, or words why there is none."""

    def start(self, seconds: float, dof: int) -> None:
        """Account for the seconds before the present position; dof: whose forces are kept, -1: of none."""
        now, began = self._session.history.now, perf_counter()

        def work(model: MjModel, cut: Cut, check: Check) -> EnergyReport:
            return replayed(Playback(model, cut, check), now - cut.begin, seconds, dof, began)

        self.work_on(seconds, work)


def replayed(playback: Playback, last: int, seconds: float, dof: int, began: float) -> EnergyReport:
    """Play a part of the history again on a copy of the model, and account for the last seconds before a position.

    The account begins after the last change of the model, reset or other jump of the state: what a user gives is no work.
    """
    m, d, tape = playback.model, playback.data, playback.tape
    playback.go_to(playback.undisturbed(last, min(MOST_STEPS, round(seconds / float(m.opt.timestep)))))
    account = EnergyAccount(m, d, () if dof < 0 else (dof,))
    while tape.now < last:
        account.before(m, d)
        physics.mj_step(m, d)
        account.after(m, d)
        tape.followed(1)
        playback.check()
    return EnergyReport(account.series(m, d), dof, perf_counter() - began)

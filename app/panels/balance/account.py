"""The account of energy over the last seconds: the history is played again on a copy, in the background."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.replay.bundle import Bundle, LoadError
from tumble.app.replay.replay_file import require
from tumble.app.replay.state import ReplayError
from tumble.app.replay.tape import Tape
from tumble.app.session.history import Cut
from tumble.app.session.session import Session
from tumble.physics.errors import PhysicsError
from tumble.physics.observe.energy_account import IN_ENERGY, EnergyAccount, EnergySeries

if TYPE_CHECKING:
    from tumble.physics import MjModel

CLOSING = 5.0  # time for an account at work when the window closes [s]
MOST_STEPS = 5000  # of an account: the last ones of the time that is asked for
LOOK_EVERY = 50  # steps between two looks at whether the account is still wanted
NO_HISTORY = "No step was taken yet: press Space to play"


class AccountStopped(Exception):
    """The account is no longer wanted."""


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


class AccountOrder(Struct, frozen=True):
    """Request for an account. seconds: before the position `now` of the history; dof: whose forces are kept, -1: of none."""

    seconds: float
    now: int
    dof: int


class Accounts(QObject):
    """Makes accounts of one session, one at a time. done: a report, or words why there is none."""

    done = pyqtSignal(object)
    _cut = pyqtSignal(object, object, int)  # from the simulation thread: the history or why not, the order, its number

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._background = Background("energy account", self)
        self._number = 0
        self._compiled: tuple[Bundle, MjModel] | None = None
        self.working = False
        self._cut.connect(self._begin)
        session.model_loaded.connect(self._forget)

    def start(self, seconds: float, dof: int) -> None:
        """Account for the seconds before the present position; `done` follows."""
        history = self._session.history
        self._number += 1
        self.working = True
        order, number = AccountOrder(seconds, history.now, dof), self._number
        behind = max(0, history.end - history.now) * history.timestep
        history.cut(lambda cut: self._cut.emit(cut, order, number), behind + seconds)

    def stop(self) -> None:
        """No account is wanted any more."""
        self._number += 1
        self.working = False

    def close(self) -> bool:
        """The session ends; returns True if the thread has ended."""
        self.stop()
        return self._background.close(CLOSING)

    def _forget(self) -> None:
        self.stop()
        self._compiled = None

    def _begin(self, cut: Cut | str, order: AccountOrder, number: int) -> None:
        if number != self._number:
            return
        if isinstance(cut, str) or order.now <= cut.begin:
            self._end(NO_HISTORY, number)
            return

        def wanted() -> None:
            self._background.check()
            if number != self._number:
                raise AccountStopped

        self._background.run(
            lambda: self._work(cut, order, wanted),
            lambda report: self._end(report, number),
            lambda why: self._end(why, number),
            (PhysicsError, ReplayError, LoadError, AccountStopped),
        )

    def _work(self, cut: Cut, order: AccountOrder, wanted: Callable[[], None]) -> EnergyReport:
        began = perf_counter()
        compiled = self._compiled
        if compiled is None or compiled[0] is not cut.bundle:
            compiled = self._compiled = cut.bundle, cut.bundle.compile()
            physics.prepare(compiled[1])
        return replayed(compiled[1], cut, order, wanted, began)

    def _end(self, result: EnergyReport | str, number: int) -> None:
        if number == self._number:
            self.working = False
            self.done.emit(result)


def replayed(model: MjModel, cut: Cut, order: AccountOrder, wanted: Callable[[], None], began: float) -> EnergyReport:
    """Play a part of the history again on a copy of the model, and account for its last seconds.

    The account begins after the last change of the model, reset or other jump of the state: what a user gives is no work.
    """
    m = physics.variant(model)
    m.tumble.threads = 1  # the simulation's own threads continue
    d = physics.MjData(m)
    require(cut.timeline, m, d)
    tape = Tape.of(cut.timeline, m, d)
    last = order.now - cut.begin
    jumps = [step for step in (*cut.timeline.jump_step, *cut.timeline.edits["step"]) if step < last]
    steps = min(MOST_STEPS, round(order.seconds / float(m.opt.timestep)))
    first = max(0, last - steps, *(int(step) for step in jumps))
    while tape.now < first:
        count = min(tape.ahead(), first - tape.now)
        physics.mj_step(m, d, count)
        tape.followed(count)
        wanted()
    account = EnergyAccount(m, d, () if order.dof < 0 else (order.dof,))
    while tape.now < last:
        account.before(m, d)
        physics.mj_step(m, d)
        account.after(m, d)
        tape.followed(1)
        if tape.now % LOOK_EVERY == 0:
            wanted()
    return EnergyReport(account.series(m, d), order.dof, perf_counter() - began)

"""Panels that analyse copies of the present state in the background while they can be seen."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from tumble.app.base.background import Background
from tumble.app.editing.edits import Edits
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.simulation.state_copy import ShownState, StateCopy, StateProbe
from tumble.app.widgets.base_panels import LivePanel
from tumble.app.widgets.dock import Dock
from tumble.app.widgets.layout import make_timer
from tumble.physics.errors import PhysicsError

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

SETTLED = 200  # from the last change of the state, while paused, to the next analysis [ms]
AGAIN, SHARE = 1.0, 8.0  # between two analyses while time runs: wall time at least [s], and times what the last one took

R = TypeVar("R")


class AnalysisStopped(Exception):
    """The analysis is no longer wanted."""


class AnalysisPanel(LivePanel[ShownState], Generic[R]):
    """While time runs, now and then; paused, as soon as the state has changed. A newer copy ends the analysis of an older one."""

    probe: StateProbe

    def __init__(self, dock: Dock, session: Session, refuse: Callable[[MjModel], str], name: str) -> None:
        """refuse: why a model is not analysed, "" where it is; name: of the threads."""
        super().__init__(dock, session, StateProbe(refuse))
        self.background = Background(name, self)
        self._copy = StateCopy()  # the newest that was looked at
        self._ended, self._took = -math.inf, 0.0  # when the last analysis ended, by monotonic [s], and what it took
        self._run = 0
        self._working = False
        self._later = make_timer(self, self._ask, SETTLED)
        session.paused_changed.connect(lambda paused: self.look_again())
        session.history.changed.connect(self._on_history)
        session.part(Edits).settled.connect(self.look_again)
        session.absence_changed.connect(lambda why: self.build())
        dock.in_sight.connect(self._on_sight)

    @abstractmethod
    def analysis(self, model: MjModel, data: MjData, wanted: Callable[[], None]) -> R:
        """The analysis of a copy, in another thread. wanted: raises once it is no longer. PhysicsError, LinAlgError are shown."""

    @abstractmethod
    def show_analysis(self, found: R) -> None:
        """Show what was found."""

    @abstractmethod
    def show_none(self, why: str) -> None:
        """Show why there is nothing."""

    def begin(self) -> None:
        """An analysis begins."""

    def build(self) -> None:
        """Another model."""
        self._drop()
        self._copy = StateCopy(number=self._copy.number)  # that of another model is not kept
        self.show_none(self.session.absence)
        self.look_again()

    def show_reading(self, reading: ShownState) -> None:
        """Analyse a new copy; ask for another while time runs."""
        copy = reading.copy
        if copy.number != self._copy.number:
            self._copy = copy
            if copy.model is None or copy.data is None:
                self.show_none(copy.why)
            else:
                self._start(copy.model, copy.data)
        if self.session.paused:
            if self._is_stale():
                self._later.start()
        elif not self._working and monotonic() - self._ended > max(AGAIN, SHARE * self._took):
            self._ask()

    def look_again(self) -> None:
        """Have the state analysed soon."""
        if self.live:
            self._later.start()

    def _is_stale(self) -> bool:
        """True if the state has changed since the last copy, as by posing or a step."""
        data, now = self._copy.data, self.session.snapshot
        fields = ("qpos", "qvel", "act", "ctrl")
        return data is not None and now is not None and not all(
            np.array_equal(getattr(data, name), getattr(now, name)) for name in fields
        )  # fmt: skip

    def _on_history(self) -> None:
        if self.session.paused:
            self.look_again()

    def _ask(self) -> None:
        """Have the state copied."""
        if self.live and self.session.model is not None:
            self._ended = monotonic()
            self.probe.wanted = True
            self.session.send(WatchProbe(self.probe, True))  # known already: the simulation only publishes again

    def _start(self, model: MjModel, data: MjData) -> None:
        self._drop()
        self._working = True
        run, began = self._run, monotonic()
        self.begin()

        def wanted() -> None:
            self.background.check()
            if run != self._run:
                raise AnalysisStopped

        def end(show: Callable[[Any], None], found: R | str) -> None:
            if run == self._run:
                self._working = False
                self._ended = monotonic()
                self._took = self._ended - began
                show(found)

        self.background.run(
            lambda: self.analysis(model, data, wanted),
            lambda found: end(self.show_analysis, found),
            lambda why: end(self.show_none, why[:1].upper() + why[1:]),
            (PhysicsError, np.linalg.LinAlgError, AnalysisStopped),
        )

    def _drop(self) -> None:
        """What is at work comes to nothing."""
        self._run += 1
        self._working = False

    def _on_sight(self, visible: bool) -> None:
        if visible:
            self.look_again()
        else:
            self._drop()
            self.put_away()

    def put_away(self) -> None:
        """It is no longer in sight."""

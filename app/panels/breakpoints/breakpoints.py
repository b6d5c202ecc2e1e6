"""Breakpoints: the simulation stops exactly at the step after which a condition begins to hold."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.settings import BREAKPOINTS
from tumble.app.describe import expression
from tumble.app.describe.numbers import step_moment
from tumble.app.describe.signals import Catalogue
from tumble.app.describe.subject import NOTHING, Subject
from tumble.app.panels.breakpoints.conditions import PRESETS
from tumble.app.panels.breakpoints.conditions import expression as when
from tumble.app.replay.tape import Tape
from tumble.app.session.events import EventKind
from tumble.app.session.marking import mark
from tumble.app.session.requests import Show
from tumble.app.session.session import Session
from tumble.app.simulation.autopsy import BAD, Autopsy, perform
from tumble.app.simulation.commands import MonitorSteps

if TYPE_CHECKING:
    from tumble.app.panels.breakpoints.conditions import Condition
    from tumble.physics import MjData, MjModel

BLOWUP = "blowup"  # the key of the breakpoint that stops before the state blows up


class BreakpointHit(Struct, frozen=True):
    """The breakpoint that stopped the simulation, its finding, the time [s].

    autopsy: of an instability; subject: of the finding.
    """

    key: str
    text: str
    time: float
    autopsy: Autopsy | None = None
    subject: Subject = NOTHING


class Monitor:
    """Checks every single step; belongs to the simulation thread.

    A condition stops the simulation when it begins to hold, so that one can continue while it still does.
    """

    def __init__(
        self, model: MjModel, conditions: dict[str, Condition], blowup: bool, on_hit: Callable[[BreakpointHit], None]
    ) -> None:
        self._tape: Tape | None = None
        self._catalogue = Catalogue(model)
        self._conditions = conditions
        self._blowup = blowup
        self._on_hit = on_hit
        self._held: set[str] = set()
        self._bad: NDArray[np.int32] = np.zeros(len(BAD), np.int32)
        self._resets = -1

    def begin(self, tape: Tape) -> None:
        """It was installed, or the simulation has jumped to another moment."""
        self._tape = tape
        self._held.clear()

    def before_step(self, model: MjModel, data: MjData) -> None:
        """A step is about to be taken."""
        self._bad = np.array(data.warning_number)[list(BAD)]
        if int(data.resets) != self._resets:
            self._held.clear()
            self._resets = int(data.resets)

    def after_step(self, model: MjModel, data: MjData) -> bool:
        """A step was taken; returns True to stop here."""
        new = np.flatnonzero(np.array(data.warning_number)[list(BAD)] > self._bad)
        if self._blowup and len(new) and self._tape is not None:
            report = perform(model, data, self._tape, self._catalogue, BAD[int(new[0])])
            subjects = [row.subject for row in report.rows] + [dof.subject for dof in report.dofs]
            worst = subjects[0] if subjects else NOTHING
            self._on_hit(BreakpointHit(BLOWUP, report.what, report.time, report, worst))
            return True
        matches = {key: held for key, check in self._conditions.items() if (held := check(model, data)) is not None}
        begun = [key for key in matches if key not in self._held]
        self._held = set(matches)
        if begun:
            held = matches[begun[0]]
            self._on_hit(BreakpointHit(begun[0], held.text, float(data.time), subject=held.subject))
        return bool(begun)


class Breakpoint(Struct):
    """A breakpoint of the list. limit: of a preset that has one; text: the expression of one that is typed.

    file: the model that a typed one was switched on for. The same words may mean something else in another, or nothing.
    """

    key: str
    on: bool = False
    limit: float | None = None
    text: str = ""
    file: str = ""


class Breakpoints(QObject):
    """The list of breakpoints, stored between starts, and what happens when one is hit.

    changed: the list changed; hit: the simulation stands at a breakpoint; passed: it was reset since. last: what the present
    model was stopped by last, until a reset; idle: why typed ones, by key, do not act in it.
    """

    changed = pyqtSignal()
    hit = pyqtSignal(object)
    passed = pyqtSignal()
    _found = pyqtSignal(object)  # from the simulation thread

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._store = session, session.store
        self._made = 0
        self.points: dict[str, Breakpoint] = {p.key: Breakpoint(p.key, limit=p.first) for p in PRESETS}
        self.points[BLOWUP] = Breakpoint(BLOWUP)
        self.idle: dict[str, str] = {}
        self.last: BreakpointHit | None = None
        self._recall()
        self._found.connect(self._stop)
        session.model_loaded.connect(self._follow)
        session.history.changed.connect(self._notice_reset)

    @property
    def on(self) -> bool:
        """True if any breakpoint is on: the simulation then checks every step."""
        return any(point.on for point in self.points.values())

    def add(self, text: str) -> str:
        """A breakpoint for an expression, switched on; its key. Raises ExpressionError."""
        if self._session.model is not None:
            expression.parse(text, Catalogue(self._session.model))
        self._made += 1
        key = f"expression {self._made}"
        self.points[key] = Breakpoint(key, True, None, text.strip(), str(self._session.path))
        self.send()
        return key

    def change(self, key: str, text: str) -> None:
        """Change the expression of a custom breakpoint. Raises ExpressionError, and then it stays as it was."""
        if self._session.model is not None:
            expression.parse(text, Catalogue(self._session.model))
        self.points[key].text, self.points[key].file = text.strip(), str(self._session.path)
        self.send()

    def remove(self, key: str) -> None:
        """Discard a breakpoint that was typed."""
        del self.points[key]
        self.send()

    def set_on(self, key: str, on: bool) -> None:
        """Switch a breakpoint on, for the present model, or off."""
        self.points[key].on = on
        if self.points[key].text:
            self.points[key].file = str(self._session.path)
        self.send()

    def set_limit(self, key: str, limit: float) -> None:
        """Change the limit of a preset."""
        self.points[key].limit = limit
        self.send()

    def explain(self) -> None:
        """Go back to before the state blew up last, and run on from there to the step that did it; its autopsy follows."""
        history = self._session.history
        if history.blown is None:
            self._session.status.emit("The history holds no blow-up")
            return
        self.set_on(BLOWUP, True)
        history.go(history.blown)
        history.play()

    def when(self, hit: BreakpointHit) -> str:
        """When it stopped, in words."""
        return step_moment(hit.time, self._session.history.timestep)

    def _notice_reset(self) -> None:
        """The user has reset the state: the last stop is obsolete. A state that blew up resets itself, with a warning."""
        if self.last is None:
            return
        since = takewhile(lambda event: event.kind is not EventKind.BREAKPOINT, reversed(self._session.history.events))
        kinds = {event.kind for event in since}
        if EventKind.RESET in kinds and EventKind.WARNING not in kinds:
            self.last = None
            self.passed.emit()

    def _follow(self) -> None:
        """Discard the results of the previous model."""
        self.last = None
        self.send()

    def send(self) -> None:
        """Have the simulation thread check the active conditions that fit the present model."""
        self.idle = {}
        model = self._session.model
        if model is not None:
            conditions = self._conditions(model)
            blowup = self.points[BLOWUP].on
            wanted = bool(conditions) or blowup
            self._session.send(MonitorSteps(Monitor(model, conditions, blowup, self._found.emit) if wanted else None))
        self._store.put(BREAKPOINTS, [asdict(point) for point in self.points.values()])
        self.changed.emit()

    def _conditions(self, model: MjModel) -> dict[str, Condition]:
        presets = {p.key: p for p in PRESETS}
        result: dict[str, Condition] = {}
        here = str(self._session.path)
        # A list of all signals of the model takes a while: only typed conditions need one.
        catalogue = Catalogue(model) if any(point.text for point in self.points.values()) else None
        for key, point in self.points.items():
            if key in presets and point.on:
                result[key] = presets[key].make(*([] if point.limit is None else [point.limit]))
            if not point.text or catalogue is None:
                continue
            try:
                condition = when(expression.parse(point.text, catalogue))
            except expression.ExpressionError as error:
                self.idle[key] = f"does not fit this model: {error}"
                continue
            if point.on and point.file == here:
                result[key] = condition
            elif point.on:
                self.idle[key] = f"switched on for {Path(point.file).name}, not for this model"
        return result

    def _recall(self) -> None:
        """Restore the list of the last session."""
        for entry in self._store.get(BREAKPOINTS):
            point = Breakpoint(**{name: entry[name] for name in Breakpoint.__struct_fields__ if name in entry})
            if point.key in self.points:
                self.points[point.key].on = point.on
                if point.limit is not None:
                    self.points[point.key].limit = float(point.limit)
            elif point.text:
                self._made += 1
                key = f"expression {self._made}"
                self.points[key] = Breakpoint(key, point.on, None, point.text, point.file)

    def _stop(self, found: BreakpointHit) -> None:
        if found.key not in self.points or not self.points[found.key].on:
            return  # switched off in the meantime
        self.last = found
        self._session.set_paused(True)
        self._session.history.note(EventKind.BREAKPOINT, found.text)
        self._session.status.emit(f"Breakpoint at {self.when(found)}: {found.text}")
        self._session.ask(Show("breakpoints"))
        if found.subject != NOTHING:
            mark(self._session, found.subject)
        self.hit.emit(found)

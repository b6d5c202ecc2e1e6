"""Plays a window: one action after the other, with a rest now and then in which the process is measured.

An action is a generator. It does something, and yields what it waits for: a time [s], or an `Until`. All of it happens in the
window's own thread, between its events, as a user's input does.
"""

from __future__ import annotations

import faulthandler
import logging
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from random import Random
from time import perf_counter

from msgspec import Struct
from PyQt6.QtCore import QObject, Qt, QTimer, QtMsgType, pyqtSignal, qInstallMessageHandler
from PyQt6.QtWidgets import QApplication, QDialog

from tests.soak import census, hands
from tests.soak.journal import Action, Entry, Journal, Rest, Told, Unclean
from tests.soak.place import CONTROLLER, OUTPUT, TEMPORARY, Place
from tests.soak.scenes import PLAIN, SCENES
from tests.soak.shelf import Shelf
from tumble.app.base.background import Background
from tumble.app.film.recording import RecordingPhase
from tumble.app.panels.breakpoints.breakpoints import Breakpoints
from tumble.app.panels.control.controllers import Controllers
from tumble.app.panels.signals.signals_panel import SignalsPanel
from tumble.app.shell.main_window import MainWindow

TICK = 15  # between two looks [ms]
HANG = 30.0  # the window answers nothing for so long: the process is ended, and all stacks are kept [s]
ARM = 2.0  # between two times at which the watchdog is told that the window lives [s]
PATIENCE = 120.0  # for what an action waits for [s]
BETWEEN = 10  # actions from one rest to the next
TRIES = 2  # of each action in the warm-up, at least
WARM_SHARE, WARM_MOST = 0.15, 900.0  # of the run the warm-up takes at least; no longer than this after all was tried [s]
SETTLE = 1.2  # until what was begun has ended: glides, tips, threads of finished work [s]
MODAL = 0.4  # for so long a question stands before the window until it is answered [s]


class Until(Struct, frozen=True):
    """Something that an action waits for; what: in words."""

    what: str
    met: Callable[[], bool]
    patience: float = PATIENCE


Wait = float | Until
Play = Generator[Wait, None, None]


class Move(Struct, frozen=True):
    """A kind of action. often: how much likelier it is than others; errors: parts of messages that it may make the log have."""

    name: str
    play: Callable[[Player], Play]
    often: float = 1.0
    errors: tuple[str, ...] = ()


class Plan(Struct, frozen=True):
    """seconds: how long; seed: of all that is random; only: names of the actions that are played; first: number of the first;
    scene: of SCENES.
    """

    seconds: float
    seed: int
    only: tuple[str, ...] = ()
    first: int = 0
    scene: str = PLAIN


class _LogWatch(logging.Handler):
    """Hands on what any thread logs from a level on."""

    def __init__(self, tell: Callable[[logging.LogRecord], None]) -> None:
        super().__init__(logging.WARNING)
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        self._tell(record)


class Player(QObject):
    """ended: the run is over."""

    ended = pyqtSignal()

    def __init__(self, window: MainWindow, place: Place, shelf: Shelf, moves: list[Move], plan: Plan) -> None:
        super().__init__(window)
        self.window, self.session, self.view = window, window.session, window.viewport
        self.place, self.shelf, self.plan, self.scene = place, shelf, plan, SCENES[plan.scene]
        self.about = ""  # an action says here what exactly it does
        self.file: Path | None = None  # what is chosen where a file is asked for
        self.rng = Random(plan.seed)  # another one for each action
        self._moves = [move for move in moves if not plan.only or move.name in plan.only]
        self._journal = Journal(place["journal.jsonl"])
        self._stacks: TextIOWrapper = place["stacks.txt"].open("w")
        self._log_watch = _LogWatch(self._hear)
        self._heard_before: Callable[..., object] | None = None  # who was told by Qt
        self._gl = census.OpenGl(self.view)
        self._began = perf_counter()
        self._armed = 0.0
        self._number = self._rested = plan.first  # of the action played last, and of that before the last rest
        self._done: Counter[str] = Counter()
        self._script: Iterator[Wait] | None = None
        self._move: Move | None = None
        self._since = self._until = 0.0
        self._wait: Until | None = None
        self._modal = 0.0
        self._said: set[str] = set()  # what is unclean is told once for each action and kind
        self._warm = self._stopping = False
        self._unopened = [] if plan.only else [*shelf.models]
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK)
        self._timer.timeout.connect(self._tick)
        self._guard = QTimer(self)  # of its own: one whose slot is at work, in an event loop of a question, does not fire
        self._guard.setInterval(TICK)
        self._guard.timeout.connect(self._watch)

    # ---- for actions

    def until(self, what: str, met: Callable[[], bool], patience: float = PATIENCE) -> Until:
        return Until(what, met, patience)

    def output(self, name: str) -> Path:
        """A file to write, which is not there yet."""
        path = self.place[OUTPUT] / name
        path.unlink(missing_ok=True)
        return path

    def trigger(self, name: str) -> None:
        """Choose an action of the window, if it can be chosen."""
        action = self.window.actions_by_name[name]
        if action.isEnabled():
            action.trigger()

    def model_to_open(self) -> Path:
        """One that was not opened yet, while there are such."""
        return self.shelf.restore(self._unopened.pop(0)) if self._unopened else self.shelf.any(self.rng)

    def open(self, path: Path, *, well: bool = True) -> Play:
        """Open a file, and wait for what becomes of it."""
        self.window.open_path(path)
        yield from self.loaded()
        if well and self.session.origin != path and self.session.path != path:
            self.unclean("not opened", f"{path}: {self.view.error}")

    def loaded(self) -> Play:
        """Wait until no question stands and nothing is loaded."""
        yield 0.1
        yield self.until("the question is answered", lambda: self.window.leaving.box is None)
        yield self.until("the load ends", lambda: not self.session.loads.busy, 400.0)

    def furnish(self) -> None:
        """Bring the views and the controller of the scene back, where an action or another model has ended them."""
        self.view.tiles.arrange(self.scene.views)
        controllers = self.session.part(Controllers)
        if self.scene.controller and self.session.model is not None and not controllers.running:
            controllers.create(self.place[CONTROLLER], self.scene.controller)

    def obeyed(self) -> Until:
        """The simulation thread has done all that it was asked to."""
        session = self.session
        return self.until("the simulation obeys", lambda: session.snapshot is None or session.is_obeyed)

    # ---- findings

    @property
    def seconds(self) -> float:
        """Since the start."""
        return perf_counter() - self._began

    def _write(self, entry: Entry) -> None:
        self._journal.write(entry)

    def unclean(self, what: str, text: str) -> None:
        """Something that must not be."""
        name = self._move.name if self._move is not None else "rest"
        if f"{name} {what} {text[:80]}" not in self._said:
            self._said.add(f"{name} {what} {text[:80]}")
            self._write(Unclean(self.seconds, f"{self._number} {name}: {self.about}", what, text))

    def _hear(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.levelno < logging.ERROR:
            self._write(Told(self.seconds, self._move.name if self._move else "rest", f"{record.name}: {record.msg}"))
            return
        allowed = self._move.errors if self._move is not None else ()
        if record.exc_info is None and any(part in f"{record.name}: {text}" for part in allowed):
            return
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        self.unclean("error logged", f"{record.name}: {text}\n{trace}".strip())

    def _hear_qt(self, kind: QtMsgType, context: object, text: str | None) -> None:
        if kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg):
            self.unclean("said by Qt", text or "")

    # ---- the course of it

    def start(self) -> None:
        """Begin; to be called when the window was shown."""
        logging.getLogger().addHandler(self._log_watch)
        self._heard_before = qInstallMessageHandler(self._hear_qt)
        self._begin_rest()
        self._timer.start()
        self._guard.start()

    def stop(self) -> None:
        """End with a rest, after the action that is being played."""
        self._stopping = True

    def _watch(self) -> None:
        now = perf_counter()
        if now - self._armed > ARM:
            self._armed = now
            faulthandler.dump_traceback_later(HANG, exit=True, file=self._stacks)
        self._answer(now)

    def _answer(self, now: float) -> None:
        """Answer what is asked, a moment later, as a user would."""
        if QApplication.activeModalWidget() is None and QApplication.activePopupWidget() is None:
            self._modal = 0.0
        elif not self._modal:
            self._modal = now
        elif now - self._modal > MODAL:
            self._modal = 0.0
            # Not in here: an answer may bring up a next question, which this could not answer while it waits.
            QTimer.singleShot(0, partial(hands.answer, self.file))

    def _tick(self) -> None:
        now = perf_counter()
        if self._script is None:
            self._choose()
            return
        if self._wait is not None:
            if not self._wait.met():
                if now > self._until:
                    self.unclean("waited in vain", f"{self._wait.what}: not within {self._wait.patience:g} s\n{census.stacks()}")
                    self._end()
                return
            self._wait = None
        elif now < self._until:
            return
        try:
            wait = next(self._script, None)
        except Exception:  # noqa: BLE001 - whatever it is, it is a finding, and the run goes on
            self.unclean("an action failed", traceback.format_exc())
            wait = None
        if wait is None:
            self._end()
        elif isinstance(wait, Until):
            self._wait, self._until = wait, perf_counter() + wait.patience
        else:
            self._until = perf_counter() + wait

    def _choose(self) -> None:
        """The next action, or a rest."""
        over = self.seconds > self.plan.seconds or self._stopping
        played = self._number - self.plan.first
        if over or (played % BETWEEN == 0 and self._number != self._rested):
            self._begin_rest()
            return
        self._number += 1
        self.rng = Random(f"{self.plan.seed}/{self._number}")
        few = [move for move in self._moves if self._done[move.name] < TRIES]
        openers = [move for move in self._moves if move.name == "open"]
        if few and not self._warm:
            self._move = few[0] if self._done[few[0].name] else self.rng.choice(few)
        elif self._unopened and openers:
            self._move = openers[0]
        else:
            self._move = self.rng.choices(self._moves, [move.often for move in self._moves])[0]
        self.furnish()
        self._begin(self._move.play(self))

    def _begin(self, script: Iterator[Wait]) -> None:
        self.about, self.file = "", None
        self._script, self._since, self._until, self._wait = script, perf_counter(), 0.0, None

    def _end(self) -> None:
        """What was played is over."""
        move, self._script, self._wait = self._move, None, None
        if error := self._gl.error():
            self.unclean("error of OpenGL", hex(error))
        if move is not None:
            self._done[move.name] += 1
            took = perf_counter() - self._since
            self._write(Action(self._number, move.name, self._since - self._began, took, self.about))
        elif self.seconds > self.plan.seconds or self._stopping:
            self._timer.stop()
            self._guard.stop()
            faulthandler.cancel_dump_traceback_later()
            logging.getLogger().removeHandler(self._log_watch)
            qInstallMessageHandler(self._heard_before)
            self._journal.close()
            self._stacks.close()
            self.ended.emit()

    # ---- the rest

    def _begin_rest(self) -> None:
        self._move, self._rested = None, self._number
        self._begin(self._rest())

    def _rest(self) -> Play:
        """Bring the window to where it always rests, and measure."""
        window, session = self.window, self.session
        if "filming" in window.__dict__:
            recording = window.filming.recording
            recording.stop()
            yield self.until("the recording ends", lambda: recording.phase is RecordingPhase.IDLE)
        for dialog in window.findChildren(QDialog):
            if dialog.isVisible():
                dialog.reject()
        for name in ("help", "info", "profiler", "sensors", "measure", "measure_bodies", "gizmo"):
            if window.actions_by_name[name].isChecked():
                window.actions_by_name[name].trigger()
        self._take_back()
        window.layouts.reset()
        session.set_rate(1.0)
        for _ in range(2):  # textures and meshes of the model before are kept as long as the next one is shown
            yield from self.open(self.shelf.restore(self.shelf.rest))
        self.furnish()
        session.set_paused(False)
        before = 0.0 if session.snapshot is None else session.snapshot.time

        def has_run() -> bool:  # or has met a breakpoint that an action has set
            return session.paused or (session.snapshot is not None and session.snapshot.time > before + 0.2)

        yield self.until("time runs", has_run, 60.0)
        session.set_paused(True)
        yield self.obeyed()
        work = window.findChildren(Background)  # a load that was cancelled holds its model until its next question, say
        yield self.until("nothing is done in the background", lambda: not any(one.busy for one in work))
        self.view.align()
        for path in self.place[OUTPUT].iterdir():
            path.unlink()
        yield SETTLE
        amounts, types = census.take(self._gl, self.place[TEMPORARY], window.safety.recovery.folder)
        self._note_warmth()
        self._write(Rest(self._number, self.seconds, self._warm, amounts, types))

    def _take_back(self) -> None:
        """Remove what users add and the window rightly keeps: it would look like a leak."""
        for panel in self.window.findChildren(SignalsPanel):
            for pane in reversed(panel.panes.copy()):
                panel.close_pane(pane)
        points = self.session.part(Breakpoints)
        for key in [point.key for point in points.points.values() if point.text]:
            points.remove(key)

    def _note_warmth(self) -> None:
        """From when on growth counts: everything was tried, and some time has passed."""
        tried = all(self._done[move.name] >= TRIES for move in self._moves) and not self._unopened
        self._warm |= tried and self.seconds > min(WARM_SHARE * self.plan.seconds, WARM_MOST)

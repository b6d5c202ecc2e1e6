"""The controller of the window: its file, permission, state and errors."""

from __future__ import annotations

import logging
from pathlib import Path
from time import monotonic, sleep

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.base.file_watch import FileWatch
from tumble.app.panels.control.script import Script, functions_wanted_by, has_functions, run_functions
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetDriver
from tumble.app.simulation.controller_file import STOPPED, ControllerError, ControllerSource, Trust, read
from tumble.app.simulation.hooks import DriverSlot
from tumble.physics.base.files import write_whole
from tumble.physics.mjcf.document import digest

log = logging.getLogger(__name__)

PATIENCE = 2.0  # time after which a call of the controller counts as one that does not return [s]
LOOK_INTERVAL = 200  # between two looks at how long it takes [ms]
CLOSING = 2.0  # time that a controller gets to be interrupted when the window closes [s]


class Controllers(QObject):
    """One controller at most. It continues when its model is read again, and ends with it.

    changed: `text`, `running` or `asked` changed; stuck_changed: whether a call does not return.
    """

    changed = pyqtSignal()
    stuck_changed = pyqtSignal(bool)
    failed = pyqtSignal(str, str)  # exception: message in one line, and the traceback
    _failed = pyqtSignal(object, str, str)  # from the simulation thread

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.source: ControllerSource | None = None  # the running controller, or the last one
        self.asked: ControllerSource | None = None  # waits for the user's approval
        self.asked_for: Path | None = None  # the model that it is for, None: the one that is being loaded
        self.error = ""
        self.stuck = False
        self._session, self._trust = session, Trust(session.store)
        self._script: Script | None = None
        self._ending: list[Script] = []  # stopped, and perhaps not back yet
        self._model_path: Path | None = None
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._on_saved)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_INTERVAL)
        self._timer.timeout.connect(self._look)
        self._failed.connect(self._on_failed)
        session.model_loaded.connect(self._on_model)
        self._background = Background("functions", self)
        self._functions = ""  # digest of the file of functions that ran last
        self._lacking: Path | None = None  # the model for which a file of functions runs now
        session.load_failed.connect(self._on_load_failed)
        session.load_started.connect(self._on_load_started)

    @property
    def running(self) -> bool:
        """True if the controller is called at every step."""
        return self._script is not None

    @property
    def text(self) -> str:
        """Status of the controller in one line; empty without one."""
        if self.stuck:
            return f"has not returned for {PATIENCE:g} s"
        if self.asked is not None:
            return "waits for your approval" if not self.running else "was saved: the previous version keeps running"
        if self.source is None:
            return ""
        return "runs at every step" if self.running else f"off: {self.error}"

    @property
    def goes_on(self) -> bool:
        """True while a file of functions is asked about, or runs: the model that lacked them is loaded again after it."""
        return self._lacking is not None or (self.asked is not None and has_functions(self.asked.path))

    def open(self, path: Path) -> None:
        """Run a controller file, if it is trusted; else ask."""
        try:
            source = read(Path(path).absolute())
        except ControllerError as error:
            log.error("%s", error)
            self._session.status.emit(str(error))
            return
        if has_functions(source.path):
            self._take(source)
            return
        self._model_path = None if self._session.loads.of_another else self._session.path
        self._watch.watch([str(source.path)])
        self._take(source)

    def create(self, path: Path, text: str) -> None:
        """Write a new controller file and run it: its text is the program's own, so it is trusted. Raises OSError."""
        data = text.encode()
        write_whole(path, data)
        self._trust.add(ControllerSource(path.absolute(), text, digest(data)))
        self.open(path)

    def agree(self, *, whole_path: bool = False) -> None:
        """The user trusts the controller in question; whole_path: and later versions of the file while the window is open."""
        if self.asked is not None:
            source, self.asked = self.asked, None
            self._trust.add(source, whole_path=whole_path)
            self._start(source, self.asked_for)

    def refuse(self) -> None:
        """The user declines: a controller that ran before keeps running."""
        if self.asked is not None:
            log.info("%s was not run", self.asked.path)
            self.asked = None
            self.changed.emit()

    def _withdraw(self) -> None:
        """Ask no more: another model has taken the place of the one that the file is for."""
        if self.asked is not None:
            model = self.asked_for.name if self.asked_for is not None else "another model"
            text = f"{self.asked.path.name} was not run: it was for {model}"
            QTimer.singleShot(0, lambda: self._session.status.emit(text))  # after the messages about the opened model
            self.refuse()

    def stop(self) -> None:
        """Run it no more; where a call is under way, end that too."""
        if self._script is not None:
            self._end(STOPPED)

    def run_again(self) -> None:
        """Run the stopped file, as it is now."""
        if self.source is not None:
            self.open(self.source.path)

    def close(self) -> bool:
        """Let the simulation thread return, if possible; returns True if it has."""
        self._timer.stop()
        self._watch.watch([])
        scripts = [*self._ending, *([self._script] if self._script is not None else [])]
        until = monotonic() + CLOSING
        while any(script.guard.busy for script in scripts) and monotonic() < until:
            for script in scripts:
                script.guard.interrupt()
            sleep(0.02)
        return not any(script.guard.busy for script in scripts)

    def _take(self, source: ControllerSource) -> None:
        model = self._session.asked if has_functions(source.path) else self._model_path
        if source in self._trust:
            self.asked = None
            self._start(source, model)
        else:
            self.asked, self.asked_for = source, model
            self.changed.emit()

    def _on_load_started(self, name: str) -> None:
        """Functions are for the model that lacked them: once another is opened, they are not needed."""
        if self.asked is not None and has_functions(self.asked.path) and self._session.asked != self.asked_for:
            self._withdraw()

    def _on_load_failed(self, message: str) -> None:
        """A model names a function that is not known: the file next to it may have it."""
        path = functions_wanted_by(message, self._session.asked)
        if path is not None:
            self.open(path)

    def _register(self, source: ControllerSource, model: Path | None) -> None:
        """Run a file of functions, then load the model that lacked them; the same contents once, as they would lack it again."""
        if source.digest != self._functions:
            self._functions, self._lacking = source.digest, model
            self._background.run(
                lambda: run_functions(source), lambda _: self._load_again(model), self._on_no_functions, (ControllerError,)
            )
        self.changed.emit()

    def _load_again(self, model: Path | None) -> None:
        self._lacking = None
        if model is not None and model == self._session.asked:  # no other was opened meanwhile
            self._session.open(model)

    def _on_no_functions(self, why: str) -> None:
        self._lacking = None
        self._session.status.emit(why)

    def _start(self, source: ControllerSource, model: Path | None = None) -> None:
        """model: for which it is."""
        if has_functions(source.path):
            self._register(source, model)
            return
        self._let_go()
        self.source, self.error = source, ""
        self._script = Script(source, self._failed.emit)
        if self._session.model is not None and not self._session.loads.of_another:
            self._session.send(SetDriver(DriverSlot.CONTROLLER, self._script))
        log.info("controller %s runs", source.path)
        self._timer.start()
        self.changed.emit()

    def _let_go(self) -> None:
        if self._script is not None:
            self._ending.append(self._script)
            self._script.guard.interrupt()
            self._script = None

    def _end(self, why: str) -> None:
        self._let_go()
        self.error = why
        self._session.send(SetDriver(DriverSlot.CONTROLLER, None))
        self.changed.emit()

    def _on_failed(self, script: Script, text: str, trace: str) -> None:
        if script is not self._script:
            return  # stopped, or another runs by now
        log.error("controller %s is off: %s%s", script.source.path.name, text, f"\n{trace}" if trace else "")
        self._session.status.emit(f"{script.source.path.name} is off: {text}")
        self._end(text)
        if text != STOPPED:
            self.failed.emit(text, trace)

    def _on_saved(self) -> None:
        known = self.asked or self.source
        if known is None:
            return
        try:
            source = read(known.path)
        except ControllerError as error:  # deleted, or not fully written yet: the version in memory runs
            log.warning("%s; the version before stays", error)
            return
        if source.digest != known.digest:
            self._take(source)

    def _on_model(self) -> None:
        path = self._session.path
        if self._model_path is None or self._model_path == path:
            self._model_path = path
            if self.asked_for is None and self.asked is not None:
                self.asked_for = path
                self.changed.emit()
            if self._script is not None:
                self._start(self._script.source)
            return
        if self.asked is not None and not has_functions(self.asked.path):
            self._withdraw()
        if self._script is not None:
            self._end("it was for another model")
            log.info("controller %s is off: it was for another model", self.source.path.name if self.source else "")

    def _look(self) -> None:
        for script in self._ending:
            script.guard.interrupt()  # again: it may have swallowed the first
        self._ending = [script for script in self._ending if script.guard.busy]
        scripts = [*self._ending, *([self._script] if self._script is not None else [])]
        stuck = any(script.guard.busy > PATIENCE for script in scripts)
        if stuck != self.stuck:
            self.stuck = stuck
            if stuck:
                log.warning("the controller has not returned for %g s", PATIENCE)
            self.stuck_changed.emit(stuck)
            self.changed.emit()
        if not scripts:
            self._timer.stop()

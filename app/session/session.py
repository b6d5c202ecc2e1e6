"""The state behind the window, its rules, and its change signals."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble import physics
from tumble.app.base.settings import Settings
from tumble.app.describe.names import counts, keyframes
from tumble.app.library import unpack
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.replay_file import SUFFIX
from tumble.app.session.contact_tracking import ContactChoice
from tumble.app.session.extras import Extras
from tumble.app.session.frame_budget import FrameBudget
from tumble.app.session.history import History
from tumble.app.session.loader import CompiledModel, FirstLook, Loaded, LoadRequest
from tumble.app.session.loading import Loading
from tumble.app.session.notices import ControlEcho, WarningsTold
from tumble.app.session.requests import Request
from tumble.app.simulation import commands
from tumble.app.simulation.correspondence import Correspondence, PastState
from tumble.app.simulation.hooks import Probe, Reading
from tumble.app.simulation.perturbation import Grip
from tumble.app.simulation.snapshot import Exchange, Snapshot
from tumble.app.simulation.thread import ThreadWorker, Worker
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjModel

log = logging.getLogger(__name__)

Part = TypeVar("Part")
FRAME_INTERVAL = 16  # time between two looks at the simulation while it runs [ms]: a frame of a 60 Hz display


class Session(QObject):
    """One model at a time, the thread that runs it, and the selection.

    Docks and the viewport call its methods with the user's input and listen to its signals; none of them
    touches the live data. They may read `snapshot`, which does not change until the next `advanced`.
    """

    model_loaded = pyqtSignal()  # another model runs; model, path and snapshot are its
    load_started = pyqtSignal(str)  # the name of the file
    load_ended = pyqtSignal(object)  # of the running model's file, well or not: the files looked for, by digest
    absence_changed = pyqtSignal(str)  # why there is no model
    model_seen = pyqtSignal()  # a model can be seen that does not run yet
    load_progress = pyqtSignal(object)  # a Progress: how far reading files, then compiling kernels is
    load_cancelled = pyqtSignal(str)  # name of the file that was not loaded
    kernels_progress = pyqtSignal(object)  # the same, for an option that was changed; time stands still until then
    load_failed = pyqtSignal(str)  # file:line:column: message; the previous model keeps running
    advanced = pyqtSignal()  # a new snapshot
    forces_changed = pyqtSignal()  # other contact forces, or other ghosts, are to be drawn: frame
    paused_changed = pyqtSignal(bool)
    rate_changed = pyqtSignal(float)  # the rate wanted
    ctrl_changed = pyqtSignal(int, float)  # actuator, control
    selection_changed = pyqtSignal(int)  # body, 0 for none
    failed = pyqtSignal(str)  # something went wrong in the simulation
    status = pyqtSignal(str)  # a passing remark
    asked_for = pyqtSignal(object)  # a Request: addressed to a panel
    files_written = pyqtSignal(object)  # [(path, before, after)]: files of the model that the program itself has changed

    _worker_changed = pyqtSignal()  # from the simulation thread; Qt queues it into this object's, and the next
    _worker_failed = pyqtSignal(str)
    _backwards = pyqtSignal(str)  # what was in the way of time, or ""

    def __init__(self, parent: QObject | None = None, worker: Worker | None = None, store: Settings | None = None) -> None:
        """worker: runs the simulation; None: a thread does. store: persistent settings; None: the user's."""
        super().__init__(parent)
        self.store = store or Settings()
        self._parts: dict[Any, Any] = {}  # by their classes
        self.model: MjModel | None = None
        self.path: Path | None = None
        self.asked: Path | None = None  # path requested last, whether or not it could be opened
        self.origin: Path | None = None  # name for the user: the path, or archive:member
        self.bundle: Bundle | None = None  # the files that the model was read from
        self.view: Mapping[str, Any] = {}  # view settings of a replay file
        self.snapshot: Snapshot | None = None
        self.first_look: FirstLook | None = None  # shown while no model runs yet
        self.kept: Correspondence | None = None  # during model_loaded: how the state of the previous model maps to this one
        self.recompiled = False  # during model_loaded: whether it is the previous one compiled with the changes made to it
        self.writing = False  # whether the program itself is writing to the model's files: `files_written` follows
        self.paused, self.rate, self.selection = False, 1.0, 0
        self.contact_choice = ContactChoice(self)
        self._worker = worker or ThreadWorker()
        self.frame_budget = FrameBudget(self._worker.now)
        self.history = History(self.send, self.set_paused, self)
        self.history.told.connect(self.status)
        self._exchange: Exchange | None = None
        self.loads = Loading(self._past_state, self)
        self._bare = self._bare_asked = False  # whether the running model, and the requested one, were loaded without some assets
        self._warnings: WarningsTold | None = None
        self._controls = ControlEcho(self.ctrl_changed.emit)
        self.extras = Extras()
        self.grip: Grip | None = None  # how the mouse holds a body now
        self._closed = False
        self._sent = 0  # commands sent so far
        self._worker.listen(self._worker_changed.emit, self._worker_failed.emit, self.kernels_progress.emit)
        self._timer = QTimer(self)
        self._timer.setInterval(FRAME_INTERVAL)
        self._timer.timeout.connect(self.look)
        self.loads.still.connect(self._on_first_look)
        self.loads.progress.connect(self.load_progress)
        self.loads.loaded.connect(self._on_loaded)
        self.loads.failed.connect(self._on_load_failed)
        self._worker_changed.connect(self.look)
        self._backwards.connect(self._on_backwards)
        self._worker_failed.connect(self._on_worker_failed)
        self.send(commands.SetPaused(self.paused))
        self._worker.start()

    @property
    def loaded_model(self) -> MjModel:
        """The model, for operations that need one; ModelError if none is loaded."""
        if self.model is None:
            raise physics.ModelError("no model is loaded")
        return self.model

    # ---- session parts

    def part(self, kind: Callable[[Session], Part]) -> Part:
        """The session's object of this class, made as `kind(session)` on first use.

        A panel and the actions of the window get the same object, in whatever order they ask. A panel only shows it: what
        must go on while a panel is closed, or was never opened, is here.
        """
        if kind not in self._parts:
            self._parts[kind] = kind(self)  # not setdefault: a part may ask for others while it is made
        part: Part = self._parts[kind]
        return part

    def ask(self, request: Request) -> None:
        """Send a request to a panel, which is created if needed."""
        self.asked_for.emit(request)

    # ---- loading

    def open(self, path: Path, compiled: CompiledModel | None = None, *, bare: bool = False) -> None:
        """Load a model or a replay while the present one runs; compiled: if it exists already; bare: without missing looks."""
        self._load(LoadRequest(Path(path).absolute(), compiled, without_looks=bare))

    def read_again(self, known: Mapping[str, str]) -> None:
        """Reload the present file if one of its files changed, and keep the state as far as possible."""
        if self.origin is not None:
            self._load(LoadRequest(self.origin, None, known, self._bare, self.model))

    def recompile(self, compiled: CompiledModel) -> None:
        """Run the present model as it was compiled with the changes made to it, and keep the state."""
        if self.model is not None and self.origin is not None:
            compiled.model.files = self.model.files
            known = {str(self.origin): ""}  # of no contents: it is loaded
            self._load(LoadRequest(self.origin, compiled, known, self._bare, self.model))

    def _load(self, request: LoadRequest) -> None:
        if self._closed:
            return
        self.asked, self._bare_asked = request.path, request.without_looks
        if request.known is None:
            self.load_started.emit(request.path.name)
        self.loads.start(request)
        self._tell_absence()

    @property
    def absence(self) -> str:
        """Reason why there is no model, as a placeholder for panels; "" if one runs."""
        if self.model is not None:
            return ""
        return f"Waiting for {self.asked.name}…" if self.loads.busy and self.asked is not None else "No model is open."

    def _tell_absence(self) -> None:
        if self.model is None:
            self.absence_changed.emit(self.absence)

    def reload(self) -> None:
        """Read the present file again, and restart."""
        if self.origin is not None:
            self.open(self.origin, bare=self._bare)

    def _on_first_look(self, look: FirstLook) -> None:
        if self.model is None:  # else that continues until the other can run
            self.first_look = look
            self.model_seen.emit()

    def cancel_load(self) -> None:
        """Cancel the running load: the present model keeps running."""
        if self.loads.busy and self.asked is not None:
            self.loads.abandon()
            self.first_look = None
            self.load_cancelled.emit(self.asked.name)
            self._tell_absence()
            self.load_ended.emit({})

    def _on_load_failed(self, message: str, path: Path, files: Mapping[str, str]) -> None:
        log.error("%s", message)
        self.first_look = None
        self.load_failed.emit(message)
        self._tell_absence()
        self.load_ended.emit(files if path == self.origin else {})

    def _on_loaded(self, loaded: Loaded | None, files: Mapping[str, str]) -> None:
        if loaded is not None:
            self._exchange_model(loaded)
        self.load_ended.emit(files)

    def _past_state(self, kept: Correspondence) -> PastState:
        """State that a reloaded model continues from."""
        assert self.snapshot is not None
        return kept.taken(self.snapshot)

    def _exchange_model(self, loaded: Loaded) -> None:
        self.kept, self.recompiled = loaded.kept, loaded.recompiled
        selected = 0 if self.kept is None else max(0, self.kept.element("body", self.selection))
        chosen = self.contact_choice.place_in(self.kept)
        self.select(0)  # while the model is still the one whose body was selected
        self.model, self.path, self._exchange, self.first_look = loaded.model, loaded.path, loaded.exchange, None
        self.origin = None if loaded.path is None else unpack.as_named(loaded.path)
        self.bundle, self.view, self._bare = loaded.bundle, loaded.view, self._bare_asked
        self.snapshot, _ = loaded.exchange.read()
        self.extras.clear()
        self._warnings, self.grip = WarningsTold(self.snapshot), None
        self._controls.begin(self.snapshot)
        self.send(commands.Adopt(loaded.model, loaded.data, loaded.exchange, self.kept, loaded.tape))
        self.contact_choice.clear()
        self.history.begin(loaded.model, loaded.bundle, self.snapshot)
        log.info("loaded %s: %s", self.path, ", ".join(counts(loaded.model, "body", "v")))
        self.model_loaded.emit()
        self.kept, self.recompiled = None, False  # with it goes the model before
        self.select(selected)  # once all know the model that it is of
        self.contact_choice.choose(chosen, self.snapshot)
        self.frame_budget.begin(free=True)
        self.advanced.emit()
        self._timer.start()
        physics.work_ahead()  # once this model's kernels are ready

    # ---- time

    def set_paused(self, paused: bool) -> None:
        """Stop or continue."""
        if paused == self.paused:
            return
        self.paused = paused
        self.release()
        self.send(commands.SetPaused(paused))
        self.paused_changed.emit(paused)
        if not paused:
            self._timer.start()

    def step(self, count: int = 1) -> None:
        """Pause, and take steps."""
        if self.model is not None:
            self.set_paused(True)
            self.send(commands.Step(count))

    def step_backwards(self, count: int = 1) -> None:
        """Pause, and compute steps into the past, where nothing brakes; else the status bar shows what does."""
        if self.model is not None:
            self.set_paused(True)
            self.send(commands.StepBackwards(count, self._backwards.emit))

    def _on_backwards(self, obstacle: str) -> None:
        if obstacle:
            self.status.emit(f"Time cannot run backwards: {obstacle}")

    def reset(self, key: int | None = None, state: commands.StateNumbers = ()) -> None:
        """Back to the initial state, or to a keyframe; state: or to these numbers."""
        if self.model is None:
            return
        if key is not None and not 0 <= key < self.model.nkey:
            raise IndexError(f"keyframe {key} of {self.model.nkey}")
        self.release()
        self.send(commands.Reset(key, state))
        self.status.emit("Reset" if key is None else f"Reset to keyframe {keyframes(self.model)[key]}")

    def set_rate(self, rate: float) -> None:
        """Simulated seconds a wall second."""
        if rate != self.rate:
            self.rate = rate
            self.send(commands.SetRate(rate))
            self.rate_changed.emit(rate)

    # ---- inputs

    def set_ctrl(self, index: int, value: float) -> None:
        """The control of one actuator."""
        if self.model is not None:
            self.send(commands.SetCtrl(index, value))
            self._controls.note_sent(self._sent)
            self._controls.set(index, value)

    def clear_ctrl(self) -> None:
        """All controls to zero."""
        if self.model is not None:
            self.send(commands.ClearCtrl())
            self._controls.note_sent(self._sent)

    def select(self, body: int) -> None:
        """Select a body; 0: none."""
        if body != self.selection:
            self.release()
            self.selection = body
            self.selection_changed.emit(body)

    def hold(self, grip: Grip) -> None:
        """Hold a body with the mouse, or move the held one."""
        if self.model is not None:
            self.grip = grip
            self.send(commands.Hold(grip))

    def release(self) -> None:
        """Release the held body."""
        if self.grip is not None:
            self.grip = None
            self.send(commands.Hold(None))

    # ---- outputs

    @property
    def shown(self) -> tuple[MjModel, Frame] | None:
        """The model to be drawn and its poses: the running one, else the one being prepared; None without any."""
        if self.model is None:
            return None if self.first_look is None else (self.first_look.model, self.first_look.frame)
        frame = self.frame
        return None if frame is None else (self.model, frame)

    def show_forces(self, forces: NDArray[np.float64] | None) -> None:
        """Draw these contact forces (ncon, 6) in place of the snapshot's, until there is another; None: no longer."""
        if self.snapshot is not None and (forces is None or len(forces) == self.snapshot.ncon):
            self.extras.forces = forces
            self.forces_changed.emit()

    @property
    def is_behind(self) -> bool:
        """True if a newer snapshot than `snapshot` is waiting."""
        return self._exchange is not None and self._exchange.waits

    @property
    def frame(self) -> Frame | None:
        """Frame to draw: the snapshot's, with `extras`."""
        return None if self.snapshot is None else self.extras.over(self.snapshot.frame)

    def reading(self, probe: Probe[Reading]) -> Reading | None:
        """Reading of a probe at the time of `snapshot`; None if it was not active."""
        return None if self.snapshot is None else self.snapshot.reading(probe)

    def look(self) -> None:
        """Take the newest snapshot, and emit its changes."""
        if self._exchange is None or self._closed:
            return
        self.snapshot, fresh = self._exchange.read()
        if not fresh:
            return
        self.contact_choice.follow(self.snapshot)
        self.history.follow(self.loaded_model, self.snapshot)
        if self.snapshot.paused and not self.paused and self.is_obeyed and self._is_over:
            self.set_paused(True)
            self.status.emit("The replay is over: from here on the simulation is live")
        self.extras.follow(self.loaded_model, self.snapshot)
        self._controls.follow(self.snapshot)
        assert self._warnings is not None
        self._warnings.look(self.loaded_model, self.snapshot)
        if self.snapshot.paused and self.paused and self.snapshot.position.target is None:
            self._timer.stop()  # paused: the worker reports when a command has changed something
        self.frame_budget.begin(free=self.paused)
        self.advanced.emit()

    @property
    def _is_over(self) -> bool:
        """True at the end of a replay."""
        return self.path is not None and self.path.suffix.lower() == SUFFIX and self.history.now == self.history.end

    def _on_worker_failed(self, message: str) -> None:
        self.set_paused(True)
        self.failed.emit(message)

    # ---- end

    @property
    def is_obeyed(self) -> bool:
        """True if all commands sent so far were executed before the snapshot."""
        return self.snapshot is not None and self.snapshot.obeyed >= self._sent

    def send(self, command: commands.Command) -> None:
        """Queue a command for the simulation thread."""
        self._sent += 1
        self._worker.send(command)

    def close(self) -> bool:
        """End all threads, those of its parts too; returns True if they have ended."""
        ended = [part.close() for part in self._parts.values() if hasattr(part, "close")]  # each of them
        self._closed = True
        self._timer.stop()
        self.loads.abandon()
        return all([*ended, self._worker.close(), self.loads.join(10.0)])

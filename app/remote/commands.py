"""Requests of other programs to a window: a table of commands, each answered when it is done. docs/remote.md lists them.

Every command runs in the window's thread and only starts what takes time there; none waits.
"""

from __future__ import annotations

import base64
import io
import logging
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from PIL import Image
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.describe.names import keyframes
from tumble.app.describe.signals import Catalogue, Signal, SignalError
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.field_checks import Case, problem, unit_length
from tumble.app.film.offline import straight
from tumble.app.library.lookup import meaning
from tumble.app.remote.protocol import Message
from tumble.app.session.loader import LoadError, check_path
from tumble.app.session.session import Session
from tumble.app.simulation.commands import Inquire, SetEquality, SetState, Step
from tumble.app.viewport.photo import Photo, PhotoError, array_of
from tumble.app.viewport.widget import Viewport
from tumble.physics import changes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)

Answer = Callable[[Message], None]

MOST_STEPS, STEPS_AT_ONCE = 1_000_000, 100
MOST_NAMES = 1000
MOST_SIDE, MOST_PIXELS = 16384, 2**24  # of a picture: it needs 64 bytes a pixel, and keeps the window waiting
MOST_RATE = 1e4
BUG = "internal error"  # begins the answer to a command that the program is to blame for
STATE = ("time", "qpos", "qvel", "act", "mocap_pos", "mocap_quat", "qfrc_applied", "xfrc_applied", "userdata")


class Refusal(ValueError):
    """The request cannot be carried out; the message gives the reason."""


def signal_of(catalogue: Catalogue, name: object) -> Signal:
    """The numbers of that name. Raises Refusal, SignalError."""
    if not isinstance(name, str):
        raise Refusal(f'the name of a signal is a text, as "qpos[0]"; got {name!r:.50}')
    head, _, rest = name.strip().partition("[")
    if rest and not rest.endswith("]"):
        raise Refusal(f"{name}: the bracket is not closed")
    return catalogue.find(head.strip(), [part.strip() for part in rest[:-1].split(",")] if rest else [])


def numbers(given: Any, what: str) -> Values:  # noqa: ANN401 - of JSON
    """One number or several, as floats. Raises Refusal."""
    several = given if isinstance(given, list) else [given]
    if not several or not all(isinstance(v, int | float) and math.isfinite(v) for v in several):
        raise Refusal(f"{what}: expected a finite number, or a list of them")
    return tuple(float(v) for v in several)


class NumberWish:
    """A request to set numbers, checked as a whole before anything is changed."""

    def __init__(self, session: Session, catalogue: Catalogue, wanted: Any) -> None:  # noqa: ANN401 - of JSON
        """wanted: numbers by name. Raises Refusal and SignalError, which list what is valid."""
        if not isinstance(wanted, dict) or not wanted:
            raise Refusal('values: expected {"name": numbers}, as {"qpos[0]": 0.1, "opt.timestep": 0.001}')
        self._session, self._catalogue = session, catalogue
        self._edits = session.part(Edits)
        self._state: list[tuple[str, int, Values]] = []
        self._controls: list[tuple[int, float]] = []
        self._equalities: list[tuple[int, bool]] = []
        self._model: dict[EditPlace, Values] = {}
        for name, value in wanted.items():
            self._add(signal_of(catalogue, name), numbers(value, name))
        why = self._edits.refusal(self._model)
        if why:
            raise Refusal(why)

    def make(self) -> None:
        """Apply the changes; those of the model can be undone in the window."""
        for name, start, values in self._state:
            self._session.send(SetState(name, start, values, running=True))
        for index, value in self._controls:
            self._session.set_ctrl(index, value)
        for index, on in self._equalities:
            self._session.send(SetEquality(index, on))
        if self._model:
            self._edits.set_all(self._model, "Change by remote control")

    def _add(self, signal: Signal, values: Values) -> None:
        info = self._catalogue.field_of(signal)
        count = info.rows * info.width if signal.count < 0 else signal.count
        if len(values) != count:
            raise Refusal(f"{signal.name} has {count} numbers, and {len(values)} are given")
        if not signal.own:
            self._add_model(signal, values)
        elif signal.field == "ctrl":
            self._controls += [(signal.start + k, value) for k, value in enumerate(values)]
        elif signal.field == "eq_active":
            if set(values) - {0.0, 1.0}:
                raise Refusal(f"{signal.name} is 1, on, or 0, off")
            self._equalities += [(signal.start + k, bool(value)) for k, value in enumerate(values)]
        elif signal.field in STATE:
            self._state.append((signal.field, signal.start, values))
        else:
            valid = f"{', '.join(STATE)}, ctrl, eq_active, and those of the model"
            raise Refusal(f"{signal.name} is computed; numbers that can be set are {valid}")

    def _add_model(self, signal: Signal, values: Values) -> None:
        info, done = self._catalogue.field_of(signal), 0
        single = "." in info.name or info.field.shape == ()  # of the options: it has no elements
        while done < len(values):
            row, begin = divmod(signal.start + done, max(info.width, 1))
            place = EditPlace(signal.field, row)
            if single:
                place, begin = EditPlace(info.name), signal.start + done
            part = list(self._model.get(place) or self._edits.value(place))
            count = min(len(part) - begin, len(values) - done)
            part[begin : begin + count] = values[done : done + count]
            done += count
            self._model[place] = self._checked(signal, place, tuple(part))

    def _checked(self, signal: Signal, place: EditPlace, values: Values) -> Values:
        info, model = self._catalogue.field_of(signal), self._catalogue.model
        why = changes.refusal(model, signal.field, place.index)
        try:
            values = unit_length(signal.field, values)
        except ValueError as error:
            why = why or str(error)
        if info.field.dtype == "f4":
            values = tuple(float(np.float32(v)) for v in values)
        why = why or problem(info.field, Case(model, self._edits, place, values))
        if why:
            raise Refusal(f"{signal.name}: {why}")
        return values


class ControlledWindow(Protocol):
    """A window as the commands need it, beyond its session and its view."""

    @property
    def has_unsaved(self) -> bool:
        """True if there are changes that closing the model would lose."""

    @property
    def shows_script(self) -> bool:
        """True if the window shows the simulation of a script, which takes the steps."""

    def open_at_once(self, path: Path) -> None:
        """Open a model without a question."""

    def close_at_once(self) -> None:
        """Close the window without a question."""


def _flag(message: Message, name: str) -> bool:
    value = message.get(name, False)
    if not isinstance(value, bool):
        raise Refusal(f"{name}: expected true or false")
    return value


def _whole(message: Message, name: str, default: int, low: int, high: int) -> int:
    value = message.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise Refusal(f"{name}: expected a whole number from {low} to {high}")
    return value


class RemoteCommands(QObject):
    """Commands for one window. `obey` answers each message, at once or later."""

    _answered = pyqtSignal(object, object, str)  # callback, result, error: from the simulation thread

    def __init__(self, window: ControlledWindow, session: Session, viewport: Viewport, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._viewport = window, session, viewport
        self._background = Background("remote", self)
        self._catalogue: Catalogue | None = None
        self._opening: list[Answer] = []
        self.table: dict[str, Callable[[Message, Answer], None]] = {
            "status": self._status, "open": self._open, "run": self._run, "pause": self._pause, "step": self._step,
            "reset": self._reset, "set": self._set, "read": self._read, "signals": self._signals, "picture": self._picture,
            "quit": self._quit,
        }  # fmt: skip
        self._answered.connect(lambda then, found, why: then(found, why))
        session.model_loaded.connect(self._forget)
        session.model_loaded.connect(self._on_loaded)
        session.load_failed.connect(self._on_load_failed)
        session.load_cancelled.connect(lambda name: self._on_load_failed(f"{name}: loading was cancelled"))

    def obey(self, message: Message, answer: Answer) -> None:
        """Execute a message; answer is called once, with {"ok": ...}, in the window's thread."""
        do = message.get("do")
        command = self.table.get(do) if isinstance(do, str) else None
        if command is None:
            answer(_refused(f"there is no command {do!r:.60}; there are {', '.join(self.table)}"))
            return
        try:
            command(message, answer)
        except (Refusal, SignalError, PhotoError, LoadError) as error:
            answer(_refused(str(error)))
        except Exception as error:  # a bug: the program must not wait for an answer
            log.exception("a remote command failed")
            answer(_refused(f"{BUG}: {type(error).__name__}: {error}"))

    def close(self, timeout: float) -> bool:
        """The window closes; returns True if all threads have ended."""
        return self._background.close(timeout)

    # ---- queries

    def _status(self, message: Message, answer: Answer) -> None:
        session, snapshot, model = self._session, self._session.snapshot, self._session.model
        status: Message = {"ok": True, "path": None if session.origin is None else str(session.origin), "paused": session.paused}
        status |= {"loading": session.loads.busy, "rate": session.rate}
        if model is not None and snapshot is not None:
            status |= {"time": snapshot.time, "measured_rate": snapshot.measured, "contacts": snapshot.ncon}
            status |= {name: int(getattr(model, name)) for name in ("nq", "nv", "nu", "nbody", "ngeom", "nsensor", "nkey")}
        answer(status)

    def _forget(self) -> None:
        """Another model runs: release the previous one."""
        self._catalogue = None

    def _names(self) -> Catalogue:
        model = self._session.model
        if model is None:
            raise Refusal("no model is open")
        if self._catalogue is None or self._catalogue.model is not model:
            self._catalogue = Catalogue(model)
        return self._catalogue

    def _signals(self, message: Message, answer: Answer) -> None:
        search, most = message.get("search", ""), _whole(message, "most", 100, 1, MOST_NAMES)
        if not isinstance(search, str):
            raise Refusal("search: expected a text")
        catalogue = self._names()
        if not search.strip():
            answer({"ok": True, "names": list(catalogue.fields)[:most], "count": len(catalogue.fields)})
            return
        signals, count = catalogue.search(search, most)
        answer({"ok": True, "names": [signal.name for signal in signals], "count": count})

    def _read(self, message: Message, answer: Answer) -> None:
        names = message.get("names")
        if not isinstance(names, list) or not 0 < len(names) <= MOST_NAMES:
            raise Refusal(f"names: expected a list of 1 to {MOST_NAMES} names of signals")
        catalogue = self._names()
        signals = {str(name): signal_of(catalogue, name) for name in names}

        def read(model: MjModel, data: MjData) -> dict[str, Any]:
            if model is not catalogue.model:
                return {}
            return {"time": float(data.time), "values": {name: plain(signal, model, data) for name, signal in signals.items()}}

        def plain(signal: Signal, model: MjModel, data: MjData) -> Any:  # noqa: ANN401 - for JSON
            several = catalogue.field_of(signal).field.shape != () and "[" not in signal.name
            value = np.asarray(signal.read(model, data))
            return (value.reshape(-1) if several else value).tolist()

        def tell(found: dict[str, Any]) -> None:
            answer({"ok": True, **found} if found else _refused("another model was opened meanwhile"))

        self._inquire(read, tell, answer)

    def _inquire(self, read: Callable[[MjModel, MjData], Any], then: Callable[[Any], None], answer: Answer) -> None:
        """Read something between two steps, after all pending commands."""

        def on_result(found: Any, why: str) -> None:  # noqa: ANN401 - whatever was read
            if why:
                answer(_refused(why))
                return
            try:
                then(found)
            except Exception as error:  # a bug: the program must not wait for an answer
                log.exception("a remote command failed")
                answer(_refused(f"{BUG}: {type(error).__name__}: {error}"))

        self._session.send(Inquire(read, partial(self._answered.emit, on_result)))

    def _confirm(self, answer: Answer) -> None:
        """Answer with the time once all pending commands are done."""
        self._inquire(lambda model, data: float(data.time), lambda time: answer({"ok": True, "time": time}), answer)

    # ---- time

    def _run(self, message: Message, answer: Answer) -> None:
        self._names()
        if "rate" in message:
            rate = numbers(message["rate"], "rate")[0]
            if not 0 < rate <= MOST_RATE:
                raise Refusal(f"rate: expected a number above 0, at most {MOST_RATE:g}")
            self._session.set_rate(rate)
        self._session.set_paused(False)
        self._confirm(answer)

    def _pause(self, message: Message, answer: Answer) -> None:
        self._names()
        self._session.set_paused(True)
        self._confirm(answer)

    def _step(self, message: Message, answer: Answer) -> None:
        self._names()
        if self._window.shows_script:
            raise Refusal("a script takes the steps of this window")
        left = _whole(message, "count", 1, 1, MOST_STEPS)
        self._session.set_paused(True)
        self._step_on(left, answer)

    def _step_on(self, left: int, answer: Answer) -> None:
        """Take some of the steps, then the others, so that user commands in between need not wait for all."""
        now = min(left, STEPS_AT_ONCE)

        def go_on(_: object, why: str) -> None:
            if why:
                answer(_refused(why))
            elif left == now:
                self._confirm(answer)
            else:
                self._step_on(left - now, answer)

        self._session.send(Step(now, partial(self._answered.emit, go_on, None)))

    def _reset(self, message: Message, answer: Answer) -> None:
        names, key = keyframes(self._names().model), message.get("key")
        if isinstance(key, str) and key in names:
            key = names.index(key)
        if key is not None and (not isinstance(key, int) or not 0 <= key < len(names)):
            known = f"there are {', '.join(names[:20])}" if names else "the model has none"
            raise Refusal(f"there is no keyframe {key!r:.60}; {known}")
        self._session.reset(key)
        self._confirm(answer)

    def _set(self, message: Message, answer: Answer) -> None:
        NumberWish(self._session, self._names(), message.get("values")).make()
        self._confirm(answer)

    # ---- opening

    def _open(self, message: Message, answer: Answer) -> None:
        path = message.get("path")
        if not isinstance(path, str) or not path or "\0" in path:
            raise Refusal("path: expected the path of a model or a replay, or the name of a model")
        if self._window.has_unsaved and not _flag(message, "discard"):
            raise Refusal('there are unsaved changes; with "discard": true they are lost')

        def find() -> Path:
            file = meaning(Path(path))
            check_path(file)
            return file

        def opened(file: Path) -> None:
            self._opening.append(answer)
            self._window.open_at_once(file)

        self._background.run(find, opened, lambda why: answer(_refused(why)), (LoadError, OSError))

    def _on_loaded(self) -> None:
        for answer in self._take_opening():
            self._status({}, answer)

    def _on_load_failed(self, why: str) -> None:
        for answer in self._take_opening():
            answer(_refused(why))

    def _take_opening(self) -> list[Answer]:
        waiting, self._opening = self._opening, []
        return waiting

    def _quit(self, message: Message, answer: Answer) -> None:
        if self._window.has_unsaved and not _flag(message, "discard"):
            raise Refusal('there are unsaved changes; with "discard": true they are lost')
        answer({"ok": True})
        QTimer.singleShot(0, self._window.close_at_once)

    # ---- pictures

    def _picture(self, message: Message, answer: Answer) -> None:
        self._names()
        transparent, overlay = _flag(message, "transparent"), _flag(message, "overlay")
        ratio, size = self._viewport.devicePixelRatioF(), self._viewport.picture_size
        width = _whole(message, "width", 0, 0, MOST_SIDE) or round(size[0] * ratio)
        height = _whole(message, "height", 0, 0, MOST_SIDE) or round(size[1] * ratio)
        if width * height > MOST_PIXELS:
            raise Refusal(f"{width} x {height}: a picture has at most {MOST_PIXELS} pixels, as of 4096 x 4096")

        def draw(nothing: object) -> None:
            self._session.look()
            try:
                pixels = array_of(self._viewport.photograph(Photo(width, height, transparent, overlay)))
            except PhotoError as error:
                answer(_refused(str(error)))
                return

            def encode() -> str:
                file = io.BytesIO()
                shown = straight(pixels) if transparent else np.ascontiguousarray(pixels[:, :, :3])
                Image.fromarray(shown).save(file, "PNG", compress_level=1)  # it goes no farther than this computer
                return base64.b64encode(file.getvalue()).decode()

            self._background.run(
                encode,
                lambda png: answer({"ok": True, "width": width, "height": height, "png": png}),
                lambda why: answer(_refused(why)),
            )

        self._inquire(lambda model, data: None, draw, answer)  # after the pending commands


def _refused(why: str) -> Message:
    return {"ok": False, "error": why}

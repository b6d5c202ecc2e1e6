"""The window's end of a viewer: it shows the script's simulation, and sends the user's actions to the script.

The script sends the model once (`ShowModel`), and from then on its moments by memory that both share, which the
simulation thread reads in place of taking steps (following.py). All else are messages, in either direction. The window ends
with its script, and the script is notified when the window is closed.
"""

from __future__ import annotations

import logging
import threading
from contextlib import suppress
from multiprocessing.connection import Client
from pathlib import Path
from typing import Any, Protocol

from PyQt6.QtCore import QEvent, QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QAction, QKeyEvent

from tumble.app.base.background import Background
from tumble.app.editing.edits import EditPlace
from tumble.app.look import actions as declared
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.replay_view import camera_from, camera_to, fits, options_to, take_options
from tumble.app.replay.state import Reader, State
from tumble.app.session.loader import CompiledModel
from tumble.app.session.session import Session
from tumble.app.simulation import commands
from tumble.app.simulation.commands import Command
from tumble.app.viewer.connection import Ask, Channel, DrawOver, Failed, Key, Reload, ShowModel, ViewChange
from tumble.app.viewer.following import Follow, FollowingWorker, PlaceState, RingFeed, TakeModel
from tumble.app.viewer.moments import MomentRing
from tumble.app.viewer.script_overlay import ScriptGeoms, ScriptOverlay
from tumble.app.viewport.widget import Viewport
from tumble.physics import MjModel
from tumble.physics.errors import ModelError
from tumble.physics.state.export.saved import SUFFIX, unpacked

log = logging.getLogger(__name__)

HAND_BACK = 5.0  # time for a step that is under way when the window closes [s]
WATCH = 33  # time between two checks of camera and drawing options [ms]
ASSETS = ("hfield_", "mesh_", "tex_", "skin_")
TAKES_STEPS = "The script takes the steps"
DRIVEN = "The inputs are the script's: generators and controllers act on simulations of the window itself"
STANDS = "The view is paused, and the history can be browsed; the script keeps running"
NO_FILE = "The model is the script's: it has no file that could be read again"


class ViewerWindow(Protocol):
    """A window that shows a script's simulation."""

    session: Session
    viewport: Viewport
    actions_by_name: dict[str, QAction]

    def open_at_once(self, path: Path, compiled: CompiledModel | None = None) -> None:
        """Open a model without a question; compiled: where it is already."""

    def close_at_once(self) -> None:
        """Close the window without a question."""

    def setWindowTitle(self, title: str | None) -> None: ...


def whose(command: Command, *, driven: bool) -> tuple[bool, bool, str]:
    """True if the script obeys a command, True if it is carried out here, and why neither, for the user.

    Immediate effects are shown by both sides. driven: the window decides when the script steps, as in its own window.
    """
    match command:
        case commands.SetCtrl() | commands.ClearCtrl() | commands.SetEquality() | commands.SetModel():
            return True, True, ""
        case commands.Hold() | commands.SetState() | commands.Reset():
            return True, False, ""
        case commands.WakeTrees() | commands.SettleTrees():
            return False, False, ""
        case commands.SetDriver(_, driver) if driver is not None:
            return False, False, DRIVEN
        case commands.Step():
            return driven, False, "" if driven else TAKES_STEPS
        case commands.SetPaused():
            return driven, not driven, ""
        case commands.SetRate():
            return driven, True, ""
    return False, True, ""


class ScriptLink(QObject):
    """Connection of one window to its script, from start to end."""

    _heard = pyqtSignal(object)
    _left = pyqtSignal()

    def __init__(self, window: ViewerWindow, worker: FollowingWorker, parent: QObject) -> None:
        super().__init__(parent)
        self._window, self._session, self._viewport, self._worker = window, window.session, window.viewport, worker
        self._background = Background("script", self)
        self._channel: Channel | None = None
        self._feed: RingFeed | None = None
        self._show: ShowModel | None = None
        self._path: Path | None = None
        self._seen: dict[str, Any] = {}
        self._waiting: list[ViewChange | TakeModel] | None = None  # request of the script for a model that is not shown yet
        self._looked = 0  # the number of the look that the script has wanted last
        self._unread = False  # assets were changed, and the picture has them not yet
        self._overlay = ScriptOverlay()
        self._viewport.tools.add(self._overlay)
        self._heard.connect(self._take)
        self._left.connect(window.close_at_once)
        self._session.model_loaded.connect(self._on_model)
        self._session.load_failed.connect(self._on_failed)
        self._viewport.installEventFilter(self)
        self._session.advanced.connect(self._take_geoms)
        self._session.paused_changed.connect(self._remark_pause)
        self._timer = QTimer(self)
        self._timer.setInterval(WATCH)
        self._timer.timeout.connect(self._watch)

    def connect_to(self, address: str, token: bytes) -> None:
        """Connect to the script. Raises OSError if it is gone."""
        self._channel = Channel(Client(address, authkey=token), self._heard.emit, self._on_end)
        self._timer.start()

    def _on_end(self) -> None:
        """The script has ended; in the thread that reads."""
        with suppress(RuntimeError):  # so has the window, and Qt has deleted this object
            self._left.emit()

    def _send(self, message: object) -> None:
        """Send a message to the script."""
        if self._channel is not None:
            self._channel.send(message)

    def _passes(self, command: Command) -> bool:
        """Pass on commands for the script's simulation; returns True if they are not executed here."""
        feed, show = self._feed, self._show
        if feed is None or show is None:
            return False
        if not show.follows:  # the script's model shall be this one in the end
            theirs, ours = isinstance(command, commands.SetModel), True
        else:
            theirs, ours, remark = whose(command, driven=show.driven)
            if remark:
                self._session.status.emit(remark)
        if theirs:
            if isinstance(command, commands.SetState):  # the script decides whether the simulation runs
                command = commands.SetState(command.field, command.start, command.values, running=True)
            feed.sent += 1
            self._send(Ask(feed.sent, command))
        return not ours

    # ---- from the script

    def _take(self, message: object) -> None:
        match message:
            case ShowModel():
                self._begin(message)
            case DrawOver():
                self._overlay.take(message)
                self._viewport.update()
            case (ViewChange() | TakeModel()) if self._waiting is not None:
                self._waiting.append(message)
            case ViewChange():
                self._look(message)
            case TakeModel():
                self._take_model(message)

    def _begin(self, show: ShowModel) -> None:
        """Show a model, and follow its simulation or run it here."""
        self._waiting = []

        def read() -> tuple[MjModel, MomentRing]:
            model = unpacked(show.model, MjModel, show.name)
            return model, MomentRing(model, Path(show.ring))

        def shown(read: tuple[MjModel, MomentRing]) -> None:
            model, ring = read
            self._feed = RingFeed(ring, 0 if self._feed is None else self._feed.sent)
            self._show = show
            self._path = Path.cwd() / f"{show.name}{SUFFIX}"
            for side in show.hidden:
                self._window.actions_by_name[f"{side}_panels"].trigger()
            self._window.open_at_once(self._path, CompiledModel(model, Bundle(self._path.name, show.model, {})))

        self._background.run(read, shown, self._on_failed, (OSError, ModelError))

    def _on_failed(self, why: str) -> None:
        self._waiting = None
        self._send(Failed(why))

    def _on_model(self) -> None:
        if self._feed is None or self._show is None or self._session.path != self._path:
            self._forget()  # the user has opened another model
            return
        self._overlay.geoms = ScriptGeoms(self._session.loaded_model)
        self._window.setWindowTitle(f"{self._show.title}[*] — Tumble")
        self._worker.passes = None
        if self._show.follows:
            self._session.send(Follow(self._feed))
        elif (moment := self._feed.newest()) is not None:
            self._session.send(PlaceState(moment.state))
        self._worker.passes = self._passes
        waiting, self._waiting = self._waiting or [], None
        for message in waiting:
            self._take(message)

    def _take_model(self, change: TakeModel) -> None:
        if self._session.model is None or self._feed is None:
            return
        self._session.send(change)
        for name in change.fields:
            self._viewport.note_edit(EditPlace(name))
        self._unread |= any(name.startswith(ASSETS) for name in change.fields)

    def _look(self, look: ViewChange) -> None:
        """Apply the script's camera, and the drawing options that it has changed."""
        model = self._session.model
        camera = camera_from(look.changed.get("camera"))
        if camera is not None and model is not None and fits(camera, model):
            self._viewport.set_camera(camera)
        if "options" in look.changed:
            take_options(self._viewport.options, look.changed["options"])
            for spec in (*declared.VISUALIZATION, *declared.CONTACTS, *declared.RENDERING, *declared.GROUPS):
                self._window.actions_by_name[spec.name].setChecked(self._viewport.option(spec.name))
            self._viewport.update()
        self._looked = look.number
        self._seen = {}  # the script has not received changes made meanwhile: its own values take precedence

    # ---- to the script

    def _watch(self) -> None:
        """Send camera, drawing options and size of the view to the script, where they changed."""
        ratio, (width, height) = self._viewport.devicePixelRatioF(), self._viewport.picture_size
        now: dict[str, Any] = {
            "camera": camera_to(self._viewport.camera),
            "options": options_to(self._viewport.options),
            "viewport": (0, 0, round(width * ratio), round(height * ratio)),
            "select": (self._session.selection, *(float(v) for v in self._viewport.local_point)),
        }
        changed = {name: value for name, value in now.items() if self._seen.get(name) != value}
        if changed and self._session.model is not None and self.shows and self._waiting is None:
            self._seen = now
            self._send(ViewChange(self._looked, changed))
        if self._unread and self._session.is_obeyed:
            self._unread = False
            self._viewport.read_again()

    def _remark_pause(self, paused: bool) -> None:
        if paused and self._show is not None and self._show.follows and not self._show.driven:
            self._session.status.emit(STANDS)

    def _take_geoms(self) -> None:
        """Draw the geoms of the moment that is shown."""
        if self._feed is None or self._feed.geoms is None or self._overlay.geoms is None:
            return
        rows, self._feed.geoms = self._feed.geoms, None
        self._overlay.geoms.show(rows)
        geoms = self._overlay.geoms.instances
        if len(rows):
            self._session.extras.draw(geoms)
        else:
            self._session.extras.erase(geoms)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Send keys pressed in the view to the script; Space is the script's alone if it listens to keys."""
        if self._show is None or not self._show.keys or not isinstance(event, QKeyEvent) or event.isAutoRepeat():
            return False
        if event.type() != QEvent.Type.ShortcutOverride:
            return False
        keypad = bool(event.modifiers() & Qt.KeyboardModifier.KeypadModifier)
        key = glfw_key(event.key(), keypad=keypad)
        if key >= 0:
            self._send(Key(key))
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            event.accept()
            return True
        return False

    # ---- the end

    def _forget(self) -> None:
        """The window continues without the script."""
        if self._show is None:
            return
        self._path = self._feed = self._show = None
        self._worker.passes = None
        if self._overlay.geoms is not None:
            self._session.extras.erase(self._overlay.geoms.instances)
        self._overlay.clear()
        if self._channel is not None:
            self._left.disconnect(self._window.close_at_once)
            self._channel.close()
            self._channel = None

    def reload(self) -> None:
        """Request a reload of the model from the script, if it supports it."""
        if self._show is not None and self._show.reloads:
            self._send(Reload())
        else:
            self._session.status.emit(NO_FILE)

    @property
    def shows(self) -> bool:
        """True if the window shows a script's simulation."""
        return self._show is not None

    def close(self) -> bool:
        """The window closes: the script gets the state where it was run here, and is notified."""
        self._timer.stop()
        self._worker.passes = None
        if self._channel is not None:
            if self._show is not None and not self._show.follows and self._session.model is not None:
                self._hand_back()
            self._channel.close()
        return self._background.close(2.0)

    def _hand_back(self) -> None:
        """Send the final state of the simulation to the script."""
        done = threading.Event()

        def answer(state: State | None, why: str) -> None:
            if state is not None:
                self._send(state)
            done.set()

        self._session.send(commands.Inquire(lambda model, data: Reader(model, data).read(), answer))
        done.wait(HAND_BACK)


_K = Qt.Key
_NAMED = {
    _K.Key_Escape: 256, _K.Key_Return: 257, _K.Key_Tab: 258, _K.Key_Backtab: 258, _K.Key_Backspace: 259, _K.Key_Insert: 260,
    _K.Key_Delete: 261, _K.Key_Right: 262, _K.Key_Left: 263, _K.Key_Down: 264, _K.Key_Up: 265, _K.Key_PageUp: 266,
    _K.Key_PageDown: 267, _K.Key_Home: 268, _K.Key_End: 269, _K.Key_CapsLock: 280, _K.Key_ScrollLock: 281, _K.Key_NumLock: 282,
    _K.Key_Print: 283, _K.Key_Pause: 284, _K.Key_Enter: 335, _K.Key_Shift: 340, _K.Key_Control: 341, _K.Key_Alt: 342,
    _K.Key_Meta: 343, _K.Key_Menu: 348,
}  # fmt: skip
# A key has the code of its character without Shift, on a US keyboard.
_SHIFTED = dict(zip('!@#$%^&*()_+{}|:"<>?~', "1234567890-=[]\\;',./`", strict=True))
_F1, _F25 = int(_K.Key_F1), int(_K.Key_F1) + 24
_KEYPAD = 320  # the number of its zero
_KEYPAD_SIGNS = {".": 330, "/": 331, "*": 332, "-": 333, "+": 334, "=": 336}


def glfw_key(key: int, *, keypad: bool = False) -> int:
    """The number of a key of Qt's; -1: GLFW has none for it."""
    if key in _NAMED:
        return _NAMED[Qt.Key(key)]
    if _F1 <= key <= _F25:
        return 290 + key - _F1
    if not 32 <= key <= 126:
        return -1
    letter = chr(key)
    if keypad and letter.isdecimal():
        return _KEYPAD + int(letter)
    if keypad and letter in _KEYPAD_SIGNS:
        return _KEYPAD_SIGNS[letter]
    return ord(_SHIFTED.get(letter, letter))

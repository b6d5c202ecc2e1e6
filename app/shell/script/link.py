"""The window's end of a viewer: it shows the script's simulation, and tells the script what is done in the window.

The script sends what is to be shown once (`show`), and from then on its moments by memory that both share, which the simulation
thread reads in place of taking steps (app/simulation/following.py). All else are messages, in either direction. The window ends
with its script, and the script hears when the window is closed.
"""

from __future__ import annotations

import io
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QEvent, QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QKeyEvent

from tumble.app.base.background import Background
from tumble.app.editing.edits import EditPlace
from tumble.app.film.view_options import options_to
from tumble.app.look import actions as declared
from tumble.app.remote.hub import Hub, Peer
from tumble.app.remote.lines import Message
from tumble.app.remote.memory import MomentRing, SharedMoment, taken_from_file
from tumble.app.replay.bundle import Bundle
from tumble.app.replay.replay_view import camera_from, camera_to, fits
from tumble.app.session.loader import CompiledModel
from tumble.app.shell.script.geoms import ScriptGeoms
from tumble.app.shell.script.glfw_keys import glfw_key
from tumble.app.shell.script.overlay import ScriptOverlay
from tumble.app.shell.script.telling import Telling
from tumble.app.simulation.commands import Command
from tumble.app.simulation.following import Follow, PlaceState, ReadState, TakeModel
from tumble.app.simulation.led import LedWorker
from tumble.physics import MjModel
from tumble.physics.base.archive import Archive, ArchiveError
from tumble.physics.errors import ModelError
from tumble.physics.state.export.saved import SUFFIX, unpacked
from tumble.physics.state.fields import MODEL

if TYPE_CHECKING:
    from tumble.app.replay.state import State
    from tumble.app.shell.main_window import MainWindow

log = logging.getLogger(__name__)

HAND_BACK = 5.0  # time for a step that is under way when the window closes [s]
WATCH = 33  # time between two looks at the camera and what is drawn [ms]
ASSETS = ("hfield_", "mesh_", "tex_", "skin_")
_ARRAYS = {f.name: f for f in MODEL}


class RingFeed:
    """Moments from the memory shared with the script; it keeps the geoms of the last for the window."""

    def __init__(self, ring: MomentRing) -> None:
        self._ring = ring
        self.told = 0
        self.geoms: NDArray[Any] | None = None

    def newest(self) -> SharedMoment | None:
        """The newest moment; None if there is none since the last call."""
        moment = self._ring.newest()
        if moment is not None:
            self.geoms = moment.geoms
        return moment


class ScriptLink(QObject):
    """Of one window, from its start to its end."""

    _heard = pyqtSignal(object)
    _left = pyqtSignal()
    _final = pyqtSignal(object)

    def __init__(self, window: MainWindow, worker: LedWorker) -> None:
        super().__init__(window)
        self._window, self._session, self._viewport, self._worker = window, window.session, window.viewport, worker
        self._background = Background("script", self)
        self._hub: Hub | None = None
        self._peer: Peer | None = None
        self._feed: RingFeed | None = None
        self._follows = False
        self._telling = Telling(self._session, driven=False)
        self._path: Path | None = None
        self._title = ""
        self._keys = self._reloads = False
        self._seen: Message = {}
        self._waiting: list[Message] | None = None  # what the script wants of a model that is not shown yet
        self._looked = 0  # the number of the look that the script has wanted last
        self._unread = False  # assets were changed, and the picture has them not yet
        self._overlay = ScriptOverlay()
        self._viewport.tools.add(self._overlay)
        self._doing: dict[str, Callable[[Message], None]] = {
            "show": self._show, "model": self._take_model, "look": self._look, "overlay": self._draw_over, "say": self._say_here,
            "close": lambda message: self._close(),
        }  # fmt: skip
        self._heard.connect(self._do)
        self._left.connect(self._close)
        self._session.model_loaded.connect(self._on_model)
        self._session.load_failed.connect(self._on_failed)
        self._viewport.installEventFilter(self)
        window.welcome.stand_aside()
        self._session.advanced.connect(self._take_geoms)
        self._session.paused_changed.connect(self._remark_pause)
        self._timer = QTimer(self)
        self._timer.setInterval(WATCH)
        self._timer.timeout.connect(self._watch)

    def dial(self, port: int, token: str) -> None:
        """Connect to the script. Raises OSError if it is gone."""
        self._hub = Hub(token, lambda peer, message: self._heard.emit(message), lambda peer: self._left.emit(), name="script")
        self._peer = self._hub.dial(port)
        self._hub.start()
        self._timer.start()

    def tell(self, message: Message) -> None:
        """Send a message to the script."""
        if self._peer is not None:
            self._peer.send(message)

    def takes(self, command: Command) -> bool:
        """Pass on what concerns the script's simulation; whether it is not to be carried out here."""
        if self._feed is None:
            return False
        message, taken = self._telling.message(command)
        if message is not None and (self._follows or message["say"] == "model"):
            self._feed.told += 1
            self.tell(message | {"n": self._feed.told})
        return taken and self._follows

    # ---- what the script says

    def _do(self, message: Message) -> None:
        what = str(message.get("do", ""))
        if self._waiting is not None and what in ("look", "model"):
            self._waiting.append(message)
        elif what in self._doing:
            self._doing[what](message)
        elif message.get("ok") is False:
            log.warning("the script says: %s", message.get("error"))

    def _show(self, message: Message) -> None:
        """Show a model, and follow its simulation or run it here."""
        name = str(message["name"])
        self._waiting = []

        def read() -> tuple[MjModel, bytes, MomentRing]:
            data = taken_from_file(Path(message["model"]))
            model = unpacked(data, MjModel, name)
            return model, data, MomentRing.opened(model, Path(message["ring"]))

        def shown(read: tuple[MjModel, bytes, MomentRing]) -> None:
            model, data, ring = read
            self._feed, self._follows = RingFeed(ring), bool(message["follow"])
            self._telling.driven = bool(message["driven"])
            self._reloads = bool(message["reloads"])
            self._keys, self._title = bool(message["keys"]), str(message["title"])
            self._path = Path.cwd() / f"{name}{SUFFIX}"
            for side in message["hidden"]:
                self._window.actions_by_name[f"{side}_panels"].trigger()
            self._window.open_at_once(self._path, CompiledModel(model, Bundle(self._path.name, data, {})))

        self._background.run(read, shown, self._on_failed, (OSError, ModelError))

    def _on_failed(self, why: str) -> None:
        self._waiting = None
        self.tell({"say": "failed", "error": why})

    def _on_model(self) -> None:
        if self._feed is None or self._path is None or self._session.path != self._path:
            self._forget()  # the user has opened another model
            return
        self._overlay.geoms = ScriptGeoms(self._session.loaded_model)
        self._window.setWindowTitle(f"{self._title}[*] — Tumble")
        self._worker.leader = None
        if self._follows:
            self._session.send(Follow(self._feed))
        elif (moment := self._feed.newest()) is not None:
            self._session.send(PlaceState(moment.state))
        self._worker.leader = self
        self.tell({"say": "shown"})
        waiting, self._waiting = self._waiting or [], None
        for message in waiting:
            self._do(message)

    def _take_model(self, message: Message) -> None:
        if self._session.model is None or self._feed is None:
            return
        fields: dict[str, NDArray[Any]] = {k: np.array(v, _ARRAYS[k].dtype) for k, v in message.get("fields", {}).items()}
        if "file" in message:
            try:
                with Archive(io.BytesIO(taken_from_file(Path(message["file"])))) as kept:
                    fields |= kept.arrays()
            except (OSError, ArchiveError) as error:
                log.warning("a change of the script's model was lost: %s", error)
        self._session.send(TakeModel(fields))
        for name in fields:
            self._viewport.note_edit(EditPlace(name))
        self._unread |= any(name.startswith(ASSETS) for name in fields)

    def _look(self, message: Message) -> None:
        """Look as the script wants: its camera, and what of the drawing options it has changed."""
        model = self._session.model
        camera = camera_from(message.get("camera"))
        if camera is not None and model is not None and fits(camera, model):
            self._viewport.set_camera(camera)
        wanted = message.get("options", {})
        options = self._viewport.options
        for name, value in wanted.items():
            if isinstance(value, list):
                getattr(options, name)[:] = [bool(on) for on in value]
            elif name in ("label", "frame"):
                kind = type(getattr(options, name))
                setattr(options, name, kind[value])
            elif isinstance(value, bool):
                options.switch(name, value)
        if wanted:
            self._show_switches()
            self._viewport.update()
        self._looked = int(message.get("n", 0))
        self._seen = {}  # what was told meanwhile, the script has not heard: it knew better

    def _show_switches(self) -> None:
        for spec in (*declared.VISUALIZATION, *declared.CONTACTS, *declared.RENDERING, *declared.GROUPS):
            self._window.actions_by_name[spec.name].setChecked(self._viewport.option(spec.name))

    def _draw_over(self, message: Message) -> None:
        self._overlay.take(message)
        self._viewport.update()

    def _say_here(self, message: Message) -> None:
        self._window.say(str(message.get("text", "")))

    # ---- what the window says

    def _watch(self) -> None:
        """Tell the script where the camera is, what is drawn, and how large the view is, where that is new."""
        ratio, (width, height) = self._viewport.devicePixelRatioF(), self._viewport.picture_size
        now: Message = {
            "camera": camera_to(self._viewport.camera),
            "options": options_to(self._viewport.options),
            "viewport": [0, 0, round(width * ratio), round(height * ratio)],
            "select": [self._session.selection, *(float(v) for v in self._viewport.local_point)],
        }
        changed = {name: value for name, value in now.items() if self._seen.get(name) != value}
        if changed and self._session.model is not None and self._path is not None and self._waiting is None:
            self._seen = now
            self.tell({"say": "look", "looked": self._looked, **changed})
        if self._unread and self._session.is_obeyed:
            self._unread = False
            self._viewport.read_again()

    def _remark_pause(self, paused: bool) -> None:
        if paused and self._follows and not self._telling.driven and self._path is not None:
            self._session.status.emit("The picture stands still, and the past can be gone through; the script runs on")

    def _take_geoms(self) -> None:
        """Draw the geoms of the moment that is shown."""
        if self._feed is None or self._feed.geoms is None or self._overlay.geoms is None:
            return
        rows, self._feed.geoms = self._feed.geoms, None
        self._overlay.geoms.show(rows)
        self._session.extras.more = self._overlay.geoms.instances if len(rows) else None

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Tell the script of keys that are pressed in the view; Space is the script's alone if it listens to keys."""
        if not self._keys or not isinstance(event, QKeyEvent) or event.isAutoRepeat():
            return False
        if event.type() != QEvent.Type.ShortcutOverride:
            return False
        keypad = bool(event.modifiers() & Qt.KeyboardModifier.KeypadModifier)
        key = glfw_key(event.key(), keypad=keypad)
        if key >= 0:
            self.tell({"say": "key", "key": key})
        if event.key() == Qt.Key.Key_Space and not event.modifiers():
            event.accept()
            return True
        return False

    # ---- the end

    def _forget(self) -> None:
        """The window goes on without the script."""
        if self._path is None:
            return
        self._path = self._feed = None
        self._worker.leader = None
        self._keys = False
        self._overlay.clear()
        self._session.extras.more = None
        if self._hub is not None:
            self.tell({"say": "closed"})
            self._left.disconnect(self._close)
            self._hub.close(0.0)
            self._peer = None

    def reload(self) -> None:
        """Have the script load its model again, if it knows how."""
        if self._reloads:
            self.tell({"say": "reload"})
        else:
            self._session.status.emit("The model is the script's: it has no file that could be read again")

    @property
    def shows(self) -> bool:
        """True if the window shows a script's simulation."""
        return self._path is not None

    def _close(self) -> None:
        self._window.close_at_once()

    def close(self) -> bool:
        """The window closes: the script gets the state where it was run here, and hears that it is over."""
        self._timer.stop()
        self._worker.leader = None
        if self._peer is not None:
            if self._feed is not None and not self._follows and self._session.model is not None:
                self._hand_back()
            self.tell({"say": "closed"})
        if self._hub is not None:
            self._hub.close()
        return self._background.close(2.0)

    def _hand_back(self) -> None:
        """Give the script the state that the simulation has here."""
        found: list[State | None] = []
        done = threading.Event()

        def answer(state: State | None) -> None:
            found.append(state)
            done.set()

        self._session.send(ReadState(answer))
        done.wait(HAND_BACK)
        if found and (state := found[0]) is not None:
            self.tell({"say": "state_now", "values": state.values.tolist(), "asleep": state.asleep.tolist(),
                       "mocap": state.mocap.tolist()})  # fmt: skip

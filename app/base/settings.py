"""Settings that the window remembers: each is declared here, once, and survives a restart.

They are one JSON object in a file: `{"files/recent": ["/a/x.xml"], ...}`. Neither reading nor declaring them needs Qt.
"""

from __future__ import annotations

import copy
import json
import logging
import os
import shutil
import sys
from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct

from tumble.app.base import plain_json
from tumble.app.base.files import FileError, reason, write_whole
from tumble.app.base.plain_json import EACH, Form, OneOf, Range, fits, is_base64
from tumble.physics.base.files import home

log = logging.getLogger(__name__)

T = TypeVar("T")
Entry = dict[str, Any]  # a JSON object


class Setting(Struct, Generic[T], frozen=True, eq=False):
    """A key, its default, its meaning, and the form of its valid values in the file (see `json_form`).

    valid: None for any value of the default's type; bytes are base64 in the file.
    """

    key: str
    default: T
    meaning: str
    valid: Form = None

    @property
    def form(self) -> Form:
        """The form of its values in the file."""
        return self.valid or (is_base64 if isinstance(self.default, bytes) else type(self.default))


_TEXTS = [str]
_CAMERA: Form = {
    "kind": int, "lookat": [float], "distance": float, "azimuth": float, "elevation": float, "body": int, "fixed": int,
    "orthographic": bool,
}  # fmt: skip
_SAVED_VIEW: Form = {"file": str, "name": str, "camera": _CAMERA}
_VIEWS: Form = {"arrangement": str, "corner": str, "options": [(dict, None)]}
_FOLDED: Form = {"side": str, "keys": [str], "front": str, "size": int}
_LAYOUT: Form = {"name": str, "state": is_base64, "folded": [_FOLDED], "views?": dict}
_QUALITY: Form = {"renderer": str, "level": str, "seconds": float}
_BREAKPOINT: Form = {"key": str, "on?": bool, "limit?": (float, None), "text?": str, "file?": str}
THEMES = OneOf(("system", "dark", "light"))
QUALITIES = OneOf(("automatic", "plain", "fine", "best"))
FORCE_SIZES = Range(0.1, 10.0)
TRAIL_POINTS = OneOf(("origin", "centre", "picked"))
GHOST_RANGES = OneOf(("before", "marks"))

GEOMETRY = Setting("window/geometry", b"", "position and size of the main window, as Qt saves it")
LAYOUT = Setting("window/layout", b"", "docks and toolbars, as Qt saves them")
FOLDED: Setting[list[Entry]] = Setting("window/folded", [], "sides that are folded to their tabs", [_FOLDED])
OWN_LAYOUTS: Setting[list[Entry]] = Setting("window/layouts", [], "layouts saved by name", [_LAYOUT])
PANEL_HEIGHTS: Setting[dict[str, int]] = Setting(
    "window/panel_heights", {}, "heights given to panels at the bottom [px], by key", {EACH: int}
)
THEME = Setting("window/theme", "system", "colour theme: dark, light, or system to follow the desktop", THEMES)
FONT_SCALE = Setting("window/font_scale", 1.0, "scale factor of all font sizes", Range(0.8, 2.0))
RECENT: Setting[list[str]] = Setting("files/recent", [], "recently opened models, newest first", _TEXTS)
LAST = Setting("files/last", "", "file that a start without arguments reopens: that of the window closed last")
REOPENING = Setting("files/reopening", "", "file that was reopened automatically, until its window is closed")
CAMERA: Setting[list[Entry]] = Setting("view/camera", [], "cameras of the views in the window closed last", [_CAMERA])
SEVERAL_VIEWS: Setting[Entry] = Setting("view/several", {}, "number and arrangement of the views, and what each draws", _VIEWS)
MODELS: Setting[list[str]] = Setting("files/models", [], "folders whose models can be opened by name", _TEXTS)
FOLDER = Setting("files/folder", "", "folder in which the open dialog starts")
SCREENSHOTS = Setting("files/screenshots", "", "folder for screenshots; empty: the pictures folder")
SAMPLES = Setting("view/samples", -1, "antialiasing samples per pixel; -1: 4, or 0 on a software renderer", Range(-1, 64))
QUALITY = Setting("view/quality", "automatic", "rendering quality: plain, fine, best, or automatic", QUALITIES)
MEASURED_QUALITY: Setting[Entry] = Setting("view/measured_quality", {}, "quality measured last, and its renderer", _QUALITY)
CONTACTS_BY_PAIR = Setting("contacts/by_pair", True, "whether the table of contacts has a row for each pair of geoms")
MODEL_FLAGS: Setting[list[Entry]] = Setting(
    "view/model_flags", [], "what the first view draws of each model beyond the default", [{"file": str, "options": dict}]
)
FORCE_SIZE = Setting("view/force_size", 1.0, "length of contact force arrows, relative to the default", FORCE_SIZES)
TRAIL_SECONDS = Setting("motion/trail_seconds", 2.0, "length of the trails of bodies, in simulated time [s]", Range(0.05, 600.0))
TRAIL_POINT = Setting("motion/trail_point", "origin", "which point of a body leaves a trail", TRAIL_POINTS)
SMOOTH_MOTION = Setting("motion/smooth", True, "whether slow motion draws interpolated poses between two steps")
GHOSTS = Setting("motion/ghosts", False, "whether ghosts of the past are drawn")
GHOST_NUMBER = Setting("motion/ghost_number", 8, "how many ghosts of the past there are", Range(1, 60))
GHOST_INTERVAL = Setting("motion/ghost_interval", 0.25, "time between two ghosts of the past [s]", Range(0.001, 60.0))
GHOST_RANGE = Setting("motion/ghost_range", "before", "ghosts of the time before now, or between bookmarks (marks)", GHOST_RANGES)
SHOW_TIME = Setting("view/time", True, "whether simulated time and rate are shown over the view")
BREAKPOINTS: Setting[list[Entry]] = Setting("panels/breakpoints", [], "breakpoints", [_BREAKPOINT])
PLOTS: Setting[list[list[str]]] = Setting("panels/plots", [], "signals of each plot", [_TEXTS])
RELOAD_ON_SAVE = Setting("files/reload", True, "whether a model is reloaded when one of its files is saved")
REPORTS = Setting("files/reports", "", "folder for bug report bundles; empty: the documents folder")
HISTORY_MEMORY = Setting("time/memory", 256, "memory limit of the simulation history [MB]", Range(16, 65536))
TRUSTED: Setting[list[str]] = Setting("controllers/trusted", [], "digests of trusted controllers, newest first", _TEXTS)
VIDEOS = Setting("video/folder", "", "folder for videos; empty: the videos folder")
RECORD_FPS = Setting("video/fps", 30, "frames per second of a recording of the view", Range(1, 240))
RECORD_PANELS = Setting("video/panels", True, "whether recordings include the view's overlay")
PALETTE_RECENT: Setting[list[str]] = Setting("palette/recent", [], "recent choices in the command palette, newest first", _TEXTS)
KEYS: Setting[list[list[str]]] = Setting("keys/changed", [], "actions with changed keys: name, keys", [_TEXTS])
EDITOR = Setting("files/editor", "", "command of the text editor, with {file}, {line}, {column}; empty: one that is installed")
FIRST_SENTENCE = Setting("window/first_sentence", True, "whether the window shows newcomers how to use the mouse")
SMOOTH_CAMERA = Setting("view/smooth", True, "whether camera moves are animated")
AXES = Setting("view/axes", True, "whether the axes in the corner of the view are shown")
HOVER = Setting("view/hover", True, "whether the object under the mouse in the view is named")
CAMERA_VIEWS: Setting[list[Entry]] = Setting("view/views", [], "saved views of all files", [_SAVED_VIEW])
GIZMO = Setting("view/gizmo", False, "whether the selected body has handles to move and turn it")
SNAP_LENGTH = Setting("view/snap_length", 0.01, "the step by which handles move a body while they snap [m]", Range(1e-5, 100.0))
SNAP_ANGLE = Setting("view/snap_angle", 15.0, "the step by which handles turn a body while they snap [deg]", Range(0.1, 180.0))
REMOTE = Setting("remote/on", False, "whether other programs of this user may control windows: tumble remote --help")

ALL: tuple[Setting[Any], ...] = tuple(value for value in tuple(globals().values()) if isinstance(value, Setting))
MAX_RECENT = 10
DAMAGED = ".damaged"  # behind the name of a copy of a file that was not understood
_OLD_NAME = "Tumble.ini"  # of versions that kept settings as QSettings does
_WAIT = 1000  # for other windows that write the file now [ms]


class Settings:
    """Typed access to the settings in a file, which windows of several processes share."""

    def __init__(self, path: Path | None = None) -> None:
        """path: of the file; None: the user's."""
        self.path = _users_file() if path is None else path
        self._own = path is None
        self._values: Entry = {}  # as in the file, also those that this version does not know
        self._changed: Entry = {}  # changed values that are not saved yet
        self._signature: tuple[int, ...] = ()  # of the file that was read
        self._remark = ""
        self._unwritten = False  # whether the log has reported that saving fails
        self._due = False  # whether a save is scheduled for the event loop's idle time
        try:
            self._read()
        except FileError as error:
            log.warning("%s", error)
        old = self.path.with_name(_OLD_NAME)
        if not self._signature and old.is_file():
            from tumble.app.base import old_settings  # once

            declared = {setting.key: (setting.default, setting.form) for setting in ALL}
            self._changed = self._checked(old_settings.read(old, declared), old)

    @property
    def folder(self) -> Path:
        """Folder for other files that are stored between starts."""
        if not self._own:
            return self.path.parent
        from PyQt6.QtCore import QStandardPaths  # for windows

        return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))

    def get(self, setting: Setting[T]) -> T:
        """The stored value, else the default; a copy."""
        key = setting.key
        stored = self._changed[key] if key in self._changed else self._values.get(key)
        if stored is None:
            return copy.deepcopy(setting.default)
        return cast("T", b64decode(stored) if isinstance(setting.default, bytes) else copy.deepcopy(stored))

    def put(self, setting: Setting[T], value: T) -> None:
        """Store a value; it is on the disk soon, should the window be gone then."""
        if value == self.get(setting):
            return
        self._changed[setting.key] = b64encode(value).decode() if isinstance(value, bytes) else copy.deepcopy(value)
        self._save_soon()

    def report(self) -> str:
        """A sentence about settings that were not understood, for the status line, once; empty if there were none."""
        remark, self._remark = self._remark, ""
        return remark

    def add_recent(self, path: Path) -> list[str]:
        """Put a file first among the recent ones; returns them."""
        name = str(path)
        recent = [name, *(p for p in self.get(RECENT) if p != name)][:MAX_RECENT]
        self.put(RECENT, recent)
        return recent

    def sync(self) -> None:
        """Write to disk now; on failure the log reports it once, and the settings stay in memory."""
        try:
            self._save()
        except FileError as error:
            if not self._unwritten:
                self._unwritten = True
                log.warning("settings cannot be saved: %s", error)

    def _save(self) -> None:
        """Merge the changes into the file as it is now, which others may have written. Raises FileError and then keeps them."""
        if not self._changed:
            self._read()
            return
        from PyQt6.QtCore import QLockFile  # only windows write

        with suppress(OSError):  # which the writing then reports
            self.path.parent.mkdir(parents=True, exist_ok=True)
        lock = QLockFile(f"{self.path}.lock")
        locked = lock.tryLock(_WAIT)  # where it cannot be had, the file is still replaced whole
        try:
            self._read()
            values = self._values | self._changed
            write_whole(self.path, (json.dumps(values, indent=1, sort_keys=True) + "\n").encode())
            self._values, self._changed, self._signature = values, {}, self._signed()
        finally:
            if locked:
                lock.unlock()

    def _read(self) -> None:
        """Load the file if it has changed since the last read. Raises FileError."""
        signature = self._signed()
        if signature == self._signature:
            return
        stored = None
        try:
            stored = plain_json.read(self.path.read_bytes() if signature and self.path.is_file() else b"{}")
        except OSError as error:
            raise FileError(f"{self.path}: the settings cannot be read: {reason(error)}") from error
        except ValueError:
            pass  # the check reports it
        self._values, self._signature = self._checked(stored, self.path), signature

    def _checked(self, found: object, path: Path) -> Entry:
        """The values of a file that are valid or of unknown keys; others are reported, and the file is copied."""
        values = dict(found) if isinstance(found, dict) else {}
        wrong = [] if isinstance(found, dict) else ["all"]
        for setting in ALL:
            value = values.get(setting.key)
            if value is None or fits(value, setting.form) or value == {} == setting.default:
                continue
            wrong.append(setting.key)
            del values[setting.key]
            if isinstance(value, list) and isinstance(setting.default, list):
                values[setting.key] = [item for item in value if fits(item, setting.form[0])]
        if wrong:
            aside = path.with_name(path.name + DAMAGED)
            with suppress(OSError):
                shutil.copyfile(path, aside)
            self._remark = "Some stored settings were not understood: see Log"
            log.warning("%s: settings that are not understood: %s; a copy is kept as %s", path, ", ".join(wrong), aside.name)
        return values

    def _signed(self) -> tuple[int, ...]:
        """Signature of the file's state; () without a file."""
        try:
            state = self.path.stat()
        except OSError:
            return ()
        return state.st_mtime_ns, state.st_size, state.st_ino

    def _save_soon(self) -> None:
        from PyQt6.QtCore import QCoreApplication, QThread, QTimer  # only windows write

        if self._due:
            return
        app = QCoreApplication.instance()
        if app is not None and app.thread() == QThread.currentThread():
            self._due = True
            QTimer.singleShot(0, self._save_due)
        else:
            self.sync()

    def _save_due(self) -> None:
        self._due = False
        self.sync()


def _users_file() -> Path:
    """The user's file."""
    if sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        folder = home() / "Library" / "Preferences"
    else:
        folder = Path(os.environ.get("XDG_CONFIG_HOME", ""))
        folder = folder if folder.is_absolute() else home() / ".config"
    return folder / "Tumble" / "settings.json"

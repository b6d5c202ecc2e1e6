"""Settings that the window remembers: each is declared here, once, and survives a restart."""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

from PyQt6.QtCore import QCoreApplication, QStandardPaths, QThread, QTimer

from tumble.app.base import plain_json
from tumble.app.base.files import FileError
from tumble.app.base.ini_file import ini_file
from tumble.app.base.json_form import EACH, Form, fits, is_base64

log = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Setting(Generic[T]):
    """A key, the value it has at first (its type is the setting's), and what it means.

    form: of a text, or of each text of a list, that is JSON (see `json_form`); None: it is plain text.
    """

    key: str
    default: T
    meaning: str
    form: Form = None


_CAMERA: Form = {
    "kind": int, "lookat": [float], "distance": float, "azimuth": float, "elevation": float, "body": int, "fixed": int,
    "orthographic": bool,
}  # fmt: skip
_CAMERAS: Form = ([_CAMERA], _CAMERA)  # one camera: as earlier versions had it
_SAVED_VIEW: Form = {"file": str, "name": str, "camera": _CAMERA}
_VIEWS: Form = {"arrangement": str, "corner": str, "options": [(dict, None)]}
_FOLDED: Form = {"side": str, "keys": [str], "front": str, "size": int}
_LAYOUT: Form = {"name": str, "state": is_base64, "folded": [str], "views?": dict}
_QUALITY: Form = {"renderer": str, "level": str, "seconds": float}
_BREAKPOINT: Form = {"key": str, "on?": bool, "limit?": (float, None), "text?": str, "file?": str}

GEOMETRY = Setting("window/geometry", b"", "place and size of the main window, as Qt saves it")
LAYOUT = Setting("window/layout", b"", "docks and toolbars, as Qt saves them")
FOLDED: Setting[list[str]] = Setting("window/folded", [], "sides that are folded to their tabs, one JSON object each", _FOLDED)
OWN_LAYOUTS: Setting[list[str]] = Setting("window/layouts", [], "layouts saved by name, one JSON object each", _LAYOUT)
PANEL_HEIGHTS = Setting("window/panel_heights", "", "heights given to panels at the bottom [px], by key, as JSON", {EACH: int})
THEME = Setting("window/theme", "system", "colours: dark, light, or system for those of the desktop")
FONT_SCALE = Setting("window/font_scale", 1.0, "what the sizes of all fonts are multiplied by, 0.8 to 2")
RECENT: Setting[list[str]] = Setting("files/recent", [], "paths of the models opened last, the newest first")
LAST = Setting("files/last", "", "the file that a start without one opens: that of the window closed last")
REOPENING = Setting("files/reopening", "", "the file that was opened by itself, until its window is closed")
CAMERA = Setting("view/camera", "", "where the cameras of the views were in the window closed last, as JSON", _CAMERAS)
SEVERAL_VIEWS = Setting("view/several", "", "how many views there are, where, and what each draws, as JSON", _VIEWS)
MODELS: Setting[list[str]] = Setting("files/models", [], "folders whose models can be opened by name")
FOLDER = Setting("files/folder", "", "where the open dialog starts")
SCREENSHOTS = Setting("files/screenshots", "", "where screenshots are saved; empty: the pictures folder")
SAMPLES = Setting("view/samples", -1, "samples a pixel for smooth edges; -1: 4, or 0 where the renderer is software")
QUALITY = Setting("view/quality", "automatic", "how the view is drawn: plain, fine, best, or automatic for what is in time")
MEASURED_QUALITY = Setting("view/measured_quality", "", "the quality that was measured last, and where, as JSON", _QUALITY)
CONTACTS_BY_PAIR = Setting("contacts/by_pair", True, "whether the table of contacts has a row for each pair of geoms")
MODEL_FLAGS: Setting[list[str]] = Setting(
    "view/model_flags", [], "what the first view draws of each model beyond the default, one JSON object each: file and options",
    {"file": str, "options": dict},
)
FORCE_SIZE = Setting("view/force_size", 1.0, "how long arrows of contact forces are, in their usual length, 0.1 to 10")
TRAIL_SECONDS = Setting("motion/trail_seconds", 2.0, "how long the trails of bodies are, in simulated time [s]")
TRAIL_POINT = Setting("motion/trail_point", "origin", "which point of a body leaves a trail: origin, centre or picked")
SMOOTH_MOTION = Setting("motion/smooth", True, "whether slow motion shows poses between two steps, in the picture alone")
GHOSTS = Setting("motion/ghosts", False, "whether ghosts of the past are drawn")
GHOST_NUMBER = Setting("motion/ghost_number", 8, "how many ghosts of the past there are")
GHOST_INTERVAL = Setting("motion/ghost_interval", 0.25, "time between two ghosts of the past [s]")
GHOST_RANGE = Setting("motion/ghost_range", "before", "what ghosts show: before (the present), marks (between bookmarks)")
SHOW_TIME = Setting("view/time", True, "whether time and rate are written over the view")
BREAKPOINTS: Setting[list[str]] = Setting("panels/breakpoints", [], "breakpoints, one JSON object each", _BREAKPOINT)
PLOTS: Setting[list[str]] = Setting("panels/plots", [], "signals of each plot, one JSON list each", [str])
RELOAD_ON_SAVE = Setting("files/reload", True, "whether a model is read again when a file of it is saved")
REPORTS = Setting("files/reports", "", "where bundles for bug reports are saved; empty: the documents folder")
HISTORY_MEMORY = Setting("time/memory", 256, "what the history of a simulation may take [MB]")
TRUSTED: Setting[list[str]] = Setting("controllers/trusted", [], "digests of controller files that may run, the newest first")
VIDEOS = Setting("video/folder", "", "where videos are saved; empty: the videos folder")
RECORD_FPS = Setting("video/fps", 30, "frames per second of a recording of the view")
RECORD_PANELS = Setting("video/panels", True, "whether the overlay of the view is in a recording of it")
PALETTE_RECENT: Setting[list[str]] = Setting("palette/recent", [], "what was chosen in the command palette, the newest first")
KEYS: Setting[list[str]] = Setting("keys/changed", [], "keys of actions that differ from their start, one JSON list each", [str])
EDITOR = Setting("files/editor", "", "command of the text editor, with {file}, {line}, {column}; empty: one that is installed")
FIRST_SENTENCE = Setting("window/first_sentence", True, "whether the window shows newcomers what to do with the mouse")
SMOOTH_CAMERA = Setting("view/smooth", True, "whether the camera moves smoothly to where it is sent")
AXES = Setting("view/axes", True, "whether the axes in the corner of the view are shown")
HOVER = Setting("view/hover", True, "whether what the mouse rests on in the view is named")
CAMERA_VIEWS: Setting[list[str]] = Setting("view/views", [], "saved views of all files, one JSON object each", _SAVED_VIEW)
GIZMO = Setting("view/gizmo", False, "whether the selected body has handles to move and turn it")
SNAP_LENGTH = Setting("view/snap_length", 0.01, "the step by which handles move a body while they snap [m]")
SNAP_ANGLE = Setting("view/snap_angle", 15.0, "the step by which handles turn a body while they snap [deg]")
REMOTE = Setting("remote/on", False, "whether other programs of this user may control windows: tumble remote --help")

ALL: tuple[Setting[Any], ...] = tuple(value for value in tuple(globals().values()) if isinstance(value, Setting))
MAX_RECENT = 10


class Settings:
    """Typed access to the stored settings."""

    def __init__(self, path: Path | None = None) -> None:
        """path: of an own file, for tests; None: the user's.

        folder: where other files are kept from one start to the next.
        """
        data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
        self._refused: list[str] = []  # keys whose stored values were set aside, and are still to be reported
        self._unwritten = False  # whether the log has said that they cannot be saved
        self._due = False  # whether they are saved once Qt has done what there is to do
        self.folder = Path(data) if path is None else path.parent
        self._file = ini_file(_own() if path is None else path)

    def get(self, setting: Setting[T]) -> T:
        """The stored value, else the default.

        A stored value of another kind is set aside: it stays in the file under another key, and the log says so once. Of a list
        of JSON texts, these are the ones that do not have the setting's form; the others are returned.
        """
        try:
            raw = self._file.get(setting.key)
            value = setting.default if raw is None else _convert(raw, setting.default)
        except (TypeError, ValueError, KeyError, OverflowError):
            self._set_aside(setting)
            return setting.default
        if setting.form is None or value == setting.default:
            return value
        if isinstance(value, list):
            rest = [text for text in value if _has_form(text, setting.form)]
            if len(rest) < len(value):
                self._set_aside(setting, [text for text in value if text not in rest], rest)
            return cast("T", rest)
        if _has_form(value, setting.form):
            return value
        self._set_aside(setting)
        return setting.default

    def report(self) -> str:
        """A sentence about values that were set aside since the last call, for the status line; empty if there were none."""
        keys, self._refused = self._refused, []
        some = "settings were" if len(keys) > 1 else "setting was"
        return f"{len(keys)} stored {some} not understood and set aside: see Log" if keys else ""

    def put(self, setting: Setting[T], value: T) -> None:
        """Store a value, of the kinds that settings have; it is on the disk soon, should the window be gone then."""
        if self._file.put(setting.key, value):
            self._save_soon()

    def add_recent(self, path: Path) -> list[str]:
        """Put a file first among the recent ones; returns them."""
        name = str(path)
        recent = [name, *(p for p in self.get(RECENT) if p != name)][:MAX_RECENT]
        self.put(RECENT, recent)
        return recent

    def sync(self) -> None:
        """Write to disk now; where that is not possible, the log says so once, and the window lives on with what it has."""
        try:
            self._file.save()
        except FileError as error:
            if not self._unwritten:
                self._unwritten = True
                log.warning("settings cannot be saved: %s", error)

    def _set_aside(self, setting: Setting[T], wrong: list[str] | None = None, rest: object = None) -> None:
        """Move a value to another key, or some texts of a list; rest: those that stay."""
        key = self._file.set_aside(setting.key, wrong, rest)
        self._refused.append(setting.key)
        log.warning("the stored setting %s is not understood: it is kept as %s in %s", setting.key, key, self._file.path.name)
        self._save_soon()

    def _save_soon(self) -> None:
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


def _own() -> Path:
    """The user's file."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)) / "Tumble" / "Tumble.ini"


def _has_form(text: object, form: Form) -> bool:
    """True if a text is JSON of this form."""
    try:
        return fits(plain_json.read(str(text)), form)
    except ValueError:
        return False


def _convert(raw: Any, default: Any) -> Any:  # noqa: ANN401 - of the type that the setting declares
    """A value of a file, where what is no list and no bytes is text, in the type of the default."""
    if isinstance(default, list) and not isinstance(raw, bytes):
        return [] if raw == "" else raw if isinstance(raw, list) else [raw]
    if isinstance(raw, list) or isinstance(raw, bytes) is not isinstance(default, bytes):
        raise ValueError(raw)
    if isinstance(default, bool):
        return {"true": True, "false": False}[raw.lower()]
    value = type(default)(raw)
    if isinstance(value, int) and not -(2**31) <= value < 2**31:
        raise ValueError(raw)  # more than a field of the window holds
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(raw)
    return value

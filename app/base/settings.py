"""Settings that the window remembers: each is declared here, once, and survives a restart."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from PyQt6.QtCore import QByteArray, QSettings, QStandardPaths

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Setting(Generic[T]):
    """A key, the value it has at first (its type is the setting's), and what it means."""

    key: str
    default: T
    meaning: str


GEOMETRY = Setting("window/geometry", b"", "place and size of the main window, as Qt saves it")
LAYOUT = Setting("window/layout", b"", "docks and toolbars, as Qt saves them")
RECENT: Setting[list[str]] = Setting("files/recent", [], "paths of the models opened last, the newest first")
LAST = Setting("files/last", "", "the file that a start without one opens: that of the window closed last")
REOPENING = Setting("files/reopening", "", "the file that was opened by itself, until its window is closed")
CAMERA = Setting("view/camera", "", "where the camera was in the window closed last, as JSON")
MODELS: Setting[list[str]] = Setting("files/models", [], "folders whose models can be opened by name")
FOLDER = Setting("files/folder", "", "where the open dialog starts")
SCREENSHOTS = Setting("files/screenshots", "", "where screenshots are saved; empty: the pictures folder")
SAMPLES = Setting("view/samples", -1, "samples a pixel for smooth edges; -1: 4, or 0 where the renderer is software")
FLAGS: Setting[list[str]] = Setting("view/flags", [], "visualization and render flags that differ from their start")
SHOW_TIME = Setting("view/time", True, "whether time and rate are written over the view")
BREAKPOINTS: Setting[list[str]] = Setting("panels/breakpoints", [], "breakpoints, one JSON object each")
PLOTS: Setting[list[str]] = Setting("panels/plots", [], "signals of each plot, one JSON list each")
RELOAD_ON_SAVE = Setting("files/reload", True, "whether a model is read again when a file of it is saved")
REPORTS = Setting("files/reports", "", "where bundles for bug reports are saved; empty: the documents folder")
HISTORY_MEMORY = Setting("time/memory", 256, "what the history of a simulation may take [MB]")
TRUSTED: Setting[list[str]] = Setting("controllers/trusted", [], "digests of controller files that may run, the newest first")
VIDEOS = Setting("video/folder", "", "where videos are saved; empty: the videos folder")
RECORD_FPS = Setting("video/fps", 30, "frames per second of a recording of the view")
RECORD_PANELS = Setting("video/panels", True, "whether the overlay of the view is in a recording of it")
PALETTE_RECENT: Setting[list[str]] = Setting("palette/recent", [], "what was chosen in the command palette, the newest first")
KEYS: Setting[list[str]] = Setting("keys/changed", [], "keys of actions that differ from their start: name=key key")
FIRST_SENTENCE = Setting("window/first_sentence", True, "whether the window shows newcomers what to do with the mouse")

ALL: tuple[Setting[Any], ...] = (
    GEOMETRY, LAYOUT, RECENT, MODELS, FOLDER, SCREENSHOTS, SAMPLES, FLAGS, SHOW_TIME, BREAKPOINTS, PLOTS, RELOAD_ON_SAVE,
    LAST, REOPENING, CAMERA, HISTORY_MEMORY, TRUSTED, VIDEOS, RECORD_FPS, RECORD_PANELS, REPORTS, FIRST_SENTENCE,
    PALETTE_RECENT, KEYS,
)  # fmt: skip
MAX_RECENT = 10


class Settings:
    """Typed access to the stored settings."""

    def __init__(self, path: Path | None = None) -> None:
        """path: of an own file, for tests; None: the user's.

        folder: where other files are kept from one start to the next.
        """
        data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation)
        self.folder = Path(data) if path is None else path.parent
        if path is None:
            self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Tumble", "Tumble")
        else:
            self._store = QSettings(str(path), QSettings.Format.IniFormat)

    def get(self, setting: Setting[T]) -> T:
        """The stored value, else the default; a stored value of another type counts as none."""
        raw = self._store.value(setting.key)
        if raw is None:
            return setting.default
        try:
            return _convert(raw, setting.default)
        except (TypeError, ValueError, KeyError):
            return setting.default

    def put(self, setting: Setting[T], value: T) -> None:
        """Store a value."""
        self._store.setValue(setting.key, QByteArray(value) if isinstance(value, bytes) else value)

    def add_recent(self, path: Path) -> list[str]:
        """Put a file first among the recent ones; returns them."""
        name = str(path)
        recent = [name, *(p for p in self.get(RECENT) if p != name)][:MAX_RECENT]
        self.put(RECENT, recent)
        return recent

    def sync(self) -> None:
        """Write to disk now."""
        self._store.sync()


def _convert(raw: Any, default: Any) -> Any:  # noqa: ANN401 - of the type that the setting declares
    """A value read from an ini file, where everything is text, in the type of the default."""
    if isinstance(default, bool):
        return raw if isinstance(raw, bool) else {"true": True, "false": False}[str(raw).lower()]
    if isinstance(default, bytes):
        return bytes(raw)
    if isinstance(default, list):
        return [] if raw == "" else [str(item) for item in raw] if isinstance(raw, list) else [str(raw)]
    return type(default)(raw)

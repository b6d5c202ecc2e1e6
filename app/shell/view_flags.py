"""Storing of what views show: flags per file, with their chip; arrangement between starts; all of it in a replay."""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QEvent, QObject
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QMenu, QToolButton

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.film.camera_keys import CameraKeys
from tumble.app.film.camera_path import PathError
from tumble.app.look import actions, theme
from tumble.app.panels.table import Panels
from tumble.app.replay.replay_view import camera_from, camera_to, docks_from, fits, marks_from, options_from, options_to
from tumble.app.session.session import Session
from tumble.app.viewport.tiles.arrangement import Arrangement, Corner
from tumble.app.viewport.widget import Viewport
from tumble.render.options import MODES, FrameMode, LabelMode, PictureMode, RenderOptions

if TYPE_CHECKING:
    from tumble.physics import MjModel

log = logging.getLogger(__name__)

TIME_LINE = "timeline"  # the key of the panel that goes through the past
MOST_FILES = 200  # whose flags are kept; the oldest are discarded
NAMED = 3  # switches that the chip names; the others are counted
MARGIN, HEADER = 12, 30  # distance of the chip from the edges of the view, and height of a view's header [px]
_SPECS = (*actions.VISUALIZATION, *actions.CONTACTS, *actions.RENDERING, *actions.GROUPS)
_KINDS = {"label": LabelMode, "frame": FrameMode}


def beyond_default(options: RenderOptions) -> dict[str, str]:
    """Differences from the default in words, by flag."""
    default = RenderOptions()
    result = {}
    for spec in _SPECS:
        if options.is_on(spec.name) != default.is_on(spec.name):
            word = spec.text.replace("&", "")
            result[spec.name] = word if options.is_on(spec.name) else f"no {word[:1].lower()}{word[1:]}"
    if options.mode is not default.mode:
        result[options.mode.name.lower()] = options.mode.name.capitalize()
    for name in _KINDS:
        kind = getattr(options, name)
        if kind is not getattr(default, name):
            result[name] = f"{name.capitalize()}s: {kind.name.lower().replace('_', ' ')}"
    return result


class ViewFlags(QObject):
    """Of one window: gives each model's first view the flags that it had, and stores them as they change."""

    def __init__(self, session: Session, view: Viewport) -> None:
        super().__init__(view)
        self._session, self._view = session, view
        self._file = ""
        self.chip = _Chip(view, self.reset)
        session.model_loaded.connect(self._take_up)
        view.options_changed.connect(self._keep)

    def reset(self) -> None:
        """Draw the active view as a new model's, but for the length of arrows."""
        _set_to(self._view.options, {})
        self._view.redraw()

    def _take_up(self) -> None:
        """Another file: apply its drawing options; a reload changes nothing."""
        file = str(self._session.origin or "")
        if file == self._file:
            return
        self._file = file
        entries = self._session.store.get(settings.MODEL_FLAGS)
        _set_to(self._view.tiles.all[0].options, next((e["options"] for e in entries if e["file"] == file), {}))
        self._view.redraw()

    def _keep(self) -> None:
        self.chip.show_options(self._view.options)
        if not self._file:
            return
        options = self._view.tiles.all[0].options
        default = options_to(RenderOptions())
        own = {name: value for name, value in options_to(options).items() if value != default[name] and name != "force_size"}
        entries = self._session.store.get(settings.MODEL_FLAGS)
        others = [entry for entry in entries if entry["file"] != self._file]
        wanted = [*others, *([{"file": self._file, "options": own}] if own else [])][-MOST_FILES:]
        if wanted != entries:
            self._session.store.put(settings.MODEL_FLAGS, wanted)


def _set_to(options: RenderOptions, said: dict[str, Any]) -> None:
    """Set all switches, groups and kinds from the description, else to the default."""
    wanted = options_from(said)
    options.mode = wanted.mode
    for name in options_to(wanted):
        if name not in MODES and name != "force_size":
            setattr(options, name, getattr(wanted, name))


class _Chip(QToolButton):
    """Lists drawing options beyond the default; a click opens the list, of which each entry resets one."""

    def __init__(self, view: Viewport, reset: Callable[[], None]) -> None:
        super().__init__(view)
        self._view, self._reset = view, reset
        self.setObjectName("viewflags")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setAccessibleName("Drawn beyond the default")
        self.setToolTip("Options that this view draws beyond the default: click to reset some or all")
        self._menu = QMenu(self)
        self.setMenu(self._menu)
        view.installEventFilter(self)
        self.hide()

    def show_options(self, options: RenderOptions) -> None:
        """List what differs; nothing is shown where nothing does."""
        flags = beyond_default(options)
        words = list(flags.values())
        more = f" and {len(words) - NAMED} more" if len(words) > NAMED else ""
        self.setText(", ".join(words[:NAMED]) + more)
        back = theme.colours()["back"]
        self.setStyleSheet(f"QToolButton#viewflags {{ background: {back}; border-radius: 6px; padding: 4px 10px }}")
        self._menu.clear()
        for name, word in flags.items():
            self._add(word, partial(self._take_back, name))
        self._menu.addSeparator()
        self._add("Reset drawing options", self._reset)
        self.setVisible(bool(flags))
        self.adjustSize()
        self._place()

    def _add(self, text: str, act: Callable[[], None]) -> None:
        entry = QAction(text, self._menu)
        entry.triggered.connect(lambda checked: act())
        self._menu.addAction(entry)

    def _take_back(self, name: str) -> None:
        view = self._view
        if name in MODES:
            view.set_mode(PictureMode.SHADED)
        elif name in _KINDS:
            setattr(view.options, name, _KINDS[name](0))
            view.redraw()
        else:
            view.set_option(name, not view.option(name))

    def _place(self) -> None:
        self.move(MARGIN, MARGIN + (HEADER if self._view.tiles.several else 0))

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Stay in the corner as the view changes its size."""
        if watched is self._view and event is not None and event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)


def describe(session: Session, viewport: Viewport, panels: Panels) -> dict[str, Any]:
    """The view as plain JSON; bookmarks, and the time from which on the past is kept, are added where that is cut."""
    return {
        "camera": camera_to(viewport.camera),
        "options": options_to(viewport.options),
        "views": views_to(viewport),
        "cameras": cameras_to(viewport),
        "docks": panels.open_names(),
        "camera_path": session.part(CameraKeys).to_json(),
    }


def take_up(session: Session, viewport: Viewport, panels: Panels) -> None:
    """Apply the view settings of the opened file, if any; opens docks, and hides none of the user's."""
    view = session.view
    camera = camera_from(view.get("camera"))
    if camera is not None and fits(camera, session.loaded_model):
        viewport.set_camera(camera)
    if isinstance(view.get("views"), dict):
        if view["views"].get("arrangement") != Arrangement.ONE.value:
            show_views(viewport, view["views"])
        show_cameras(viewport, view.get("cameras"), session.loaded_model)
    shown = docks_from(view.get("docks"), panels.names)
    if session.history.end > 0:
        shown.append(TIME_LINE)  # a replay is there to be browsed
    panels.open(shown)
    session.history.restore(marks_from(view.get("bookmarks")))
    begin = view.get("begin")
    if view.get("camera_path"):
        origin = float(begin) if isinstance(begin, int | float) and math.isfinite(begin) else 0.0
        try:
            session.part(CameraKeys).from_json(view["camera_path"], origin)
        except PathError as error:
            log.warning("the camera path in %s is left out: %s", session.path, error)


def views_to(viewport: Viewport) -> dict[str, Any]:
    """Arrangement and what each view draws, without cameras, which belong to a model."""
    tiles = viewport.tiles
    return {
        "arrangement": tiles.arrangement.value,
        "corner": tiles.corner.value,
        "options": [options_to(tile.options) for tile in tiles.all],
    }


def show_views(viewport: Viewport, said: object) -> None:
    """Apply the result of `views_to`; nothing else. Of the first view only the mode: its flags are the user's."""
    if not isinstance(said, dict):
        return
    tiles, options = viewport.tiles, said.get("options")
    for tile, one in zip(tiles.all, options if isinstance(options, list) else (), strict=False):
        if isinstance(one, dict) and tile.index > 0:
            tile.options = options_from(one)
        elif isinstance(one, dict):
            tile.options.mode = options_from(one).mode
    if said.get("corner") in [corner.value for corner in Corner]:
        tiles.corner = Corner(said["corner"])
    if said.get("arrangement") in [arrangement.value for arrangement in Arrangement]:
        tiles.arrange(Arrangement(said["arrangement"]))


def cameras_to(viewport: Viewport) -> list[dict[str, Any]]:
    """Camera of each view."""
    return [camera_to(tile.camera) for tile in viewport.tiles.all]


def show_cameras(viewport: Viewport, said: object, model: MjModel) -> None:
    """Apply the result of `cameras_to`; a single camera, as in older files, is that of the first view."""
    for tile, one in zip(viewport.tiles.all, said if isinstance(said, list) else [said], strict=False):
        camera = camera_from(one)
        if camera is not None and fits(camera, model):
            viewport.set_camera(camera, tile)


class ViewKeeper(QObject):
    """Stores the views of a window between starts. Drawing options of the first one are stored by its flags."""

    def __init__(self, viewport: Viewport, store: Settings) -> None:
        super().__init__(viewport)
        self._viewport, self._store = viewport, store
        if kept := store.get(settings.SEVERAL_VIEWS):
            show_views(viewport, kept)
        viewport.tiles.changed.connect(self.keep)
        viewport.options_changed.connect(self.keep)

    def keep(self) -> None:
        """Store them."""
        views = views_to(self._viewport)
        views["options"][0] = None
        self._store.put(settings.SEVERAL_VIEWS, views)

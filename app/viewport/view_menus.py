"""Menus of the view: its cameras, with the views that the user has saved; several views; how the active one is drawn."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QInputDialog, QMenu, QWidget

from tumble import physics
from tumble.app.base import settings
from tumble.app.describe.names import body_name, name_of
from tumble.app.look import actions as declared
from tumble.app.replay.replay_view import camera_from, camera_to, fits
from tumble.app.session.session import Session
from tumble.app.viewport.tiles.heads import mode_words
from tumble.app.viewport.widget import Viewport
from tumble.render.camera import Camera, CameraKind, fix, track
from tumble.render.options import PictureMode

KEYS = 9  # views with their own key
MOST_CAMERAS = 40  # in the menu
MOST_VIEWS = 500  # of all files together; the oldest are discarded


class SavedView(Struct, frozen=True):
    """A camera with the name that the user gave it."""

    name: str
    camera: Camera


class SavedViews(QObject):
    """Those of the open file; changed: the list changed."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        session.model_loaded.connect(self.changed)

    def all(self) -> list[SavedView]:
        """The saved views that fit the model, in the order of their keys."""
        session = self._session
        if session.model is None:
            return []
        entries = [(entry["name"], camera_from(entry["camera"])) for entry in self._entries() if self._is_own(entry)]
        return [SavedView(name, camera) for name, camera in entries if camera is not None and fits(camera, session.model)]

    def save(self, name: str, camera: Camera) -> None:
        """Save a camera; one of that name is replaced."""
        views = self.all()
        saved = SavedView(name, camera)
        known = [view.name for view in views]
        self._put([saved if view.name == name else view for view in views] + ([] if name in known else [saved]))

    def rename(self, name: str, new: str) -> None:
        """Rename a view to an unused name."""
        views = self.all()
        if new and new not in [view.name for view in views]:
            self._put([SavedView(new, view.camera) if view.name == name else view for view in views])

    def remove(self, name: str) -> None:
        """Discard a view."""
        self._put([view for view in self.all() if view.name != name])

    def fresh_name(self) -> str:
        """A name that none has yet."""
        names = {view.name for view in self.all()}
        return next(name for i in range(1, MOST_VIEWS + 2) if (name := f"View {i}") not in names)

    def _put(self, views: list[SavedView]) -> None:
        others = [entry for entry in self._entries() if not self._is_own(entry)]
        own = [{"file": self._file, "name": view.name, "camera": camera_to(view.camera)} for view in views]
        kept = [*others, *own][-MOST_VIEWS:]
        self._session.store.put(settings.CAMERA_VIEWS, kept)
        self.changed.emit()

    @property
    def _file(self) -> str:
        return str(self._session.origin or "")

    def _is_own(self, entry: dict[str, Any]) -> bool:
        return bool(entry["file"] == self._file)

    def _entries(self) -> list[dict[str, Any]]:
        """Stored views of all files."""
        return self._session.store.get(settings.CAMERA_VIEWS)


class CameraMenu(QMenu):
    """Filled whenever it opens; the keys of saved views work all the time."""

    def __init__(self, session: Session, viewport: Viewport, actions: dict[str, QAction], parent: QWidget) -> None:
        super().__init__("&Cameras", parent)
        self._session, self._viewport, self._actions = session, viewport, actions
        self._views = session.part(SavedViews)
        for i in range(KEYS):
            actions[f"view_{i + 1}"].triggered.connect(lambda checked=False, i=i: self.choose(i))
        actions["save_view"].triggered.connect(lambda: self.ask_name())
        self.aboutToShow.connect(self._fill)
        self._views.changed.connect(self._name_keys)
        self._name_keys()

    def choose(self, index: int) -> None:
        """Apply the saved view of this number."""
        views = self._views.all()
        if index < len(views):
            self._viewport.glide_to(views[index].camera)
            self._session.status.emit(f"View: {views[index].name}")

    def ask_name(self, old: str | None = None) -> None:
        """Ask for the name of the present camera, or for another name of a saved one."""
        if self._session.model is None:
            return
        dialog = QInputDialog(self._viewport)
        dialog.setWindowTitle("Save this view" if old is None else "Rename the view")
        dialog.setLabelText("Name of the view")
        dialog.setTextValue(self._views.fresh_name() if old is None else old)
        camera = self._viewport.camera
        dialog.textValueSelected.connect(lambda name: self._take(old, name.strip(), camera))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _take(self, old: str | None, name: str, camera: Camera) -> None:
        if not name:
            return
        if old is None:
            self._views.save(name, camera)
            self._session.status.emit(f"Saved the view {name}")
        else:
            self._views.rename(old, name)

    def _name_keys(self) -> None:
        views = self._views.all()
        for i in range(KEYS):
            action = self._actions[f"view_{i + 1}"]
            action.setVisible(i < len(views))
            action.setEnabled(i < len(views))
            action.setText(views[i].name.replace("&", "&&") if i < len(views) else f"Saved view {i + 1}")

    def _fill(self) -> None:
        """List the present cameras, the active one marked."""
        self.clear()
        camera, shown = self._viewport.camera, self._session.shown
        self.addAction(self._actions["free_camera"])
        if shown is not None:
            self._add_following(camera)
            model = shown[0]
            for i in range(min(model.ncam, MOST_CAMERAS)):
                name = name_of(model, physics.mjtObj.mjOBJ_CAMERA, i)
                self._add(name, fix(camera, i), camera.kind is CameraKind.FIXED and camera.fixed == i)
        self.addSeparator()
        views = self._views.all()
        for i, view in enumerate(views):
            if i < KEYS:
                self.addAction(self._actions[f"view_{i + 1}"])
            else:
                self._add(view.name, view.camera, marked=False)
        self.addAction(self._actions["save_view"])
        self._add_changes(views)
        self.addSeparator()
        self.addActions([self._actions[name] for name in ("align", "orthographic", "axes", "smooth_camera")])

    def _add_following(self, camera: Camera) -> None:
        follows = camera.kind is CameraKind.TRACKING
        body = camera.body if follows else self._session.selection
        if body > 0:
            self._add(f"Follow {body_name(self._session.loaded_model, body)}", track(camera, body), follows)

    def _add(self, name: str, camera: Camera, marked: bool) -> None:
        action = QAction(name.replace("&", "&&"), self)
        action.setCheckable(True)
        action.setChecked(marked)
        action.triggered.connect(lambda: self._viewport.glide_to(replace(camera)))
        self.addAction(action)

    def _add_changes(self, views: list[SavedView]) -> None:
        """Menus that rename and remove saved views."""
        if not views:
            return
        for title, act in (("Re&name", self.ask_name), ("Re&move", self._views.remove)):
            sub = QMenu(title, self)
            for view in views:
                entry = QAction(view.name.replace("&", "&&"), sub)
                entry.triggered.connect(lambda checked=False, act=act, name=view.name: act(name))
                sub.addAction(entry)
            self.addMenu(sub)


class ViewsMenu(QMenu):
    """Menu of views, in the menu bar and at the header of each view."""

    def __init__(self, actions: dict[str, QAction], parent: QWidget) -> None:
        super().__init__("Se&veral views", parent)
        names = [spec.name for spec in declared.SEVERAL]
        self.addActions([actions[name] for name in names if name.startswith("views_")])
        self.addSeparator()
        self.addActions([actions[name] for name in names if not name.startswith("views_")])


class ModeMenu(QMenu):
    """Menu of picture modes, at the header of each view."""

    def __init__(self, viewport: Viewport, parent: QWidget) -> None:
        super().__init__("Picture mode", parent)
        self._viewport = viewport
        for mode in PictureMode:
            action = QAction(mode_words(mode), self)
            action.setCheckable(True)
            action.triggered.connect(partial(self._choose, mode))
            self.addAction(action)
        self.aboutToShow.connect(self._mark)

    def _choose(self, mode: PictureMode, checked: bool) -> None:
        self._viewport.set_mode(mode)

    def _mark(self) -> None:
        for mode, action in zip(PictureMode, self.actions(), strict=True):
            action.setChecked(self._viewport.options.mode is mode)

"""The menu of cameras: free, following, those of the model, and views that the user has saved."""

from __future__ import annotations

from msgspec.structs import replace
from PyQt6.QtGui import QAction
from PyQt6.QtWidgets import QInputDialog, QMenu, QWidget

from tumble import physics
from tumble.app.describe.names import body_name, name_of
from tumble.app.session.session import Session
from tumble.app.viewport.views import SavedView, SavedViews
from tumble.app.viewport.widget import Viewport
from tumble.render.camera import Camera, CameraKind, fix, track

KEYS = 9  # views with their own key
MOST_CAMERAS = 40  # in the menu


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

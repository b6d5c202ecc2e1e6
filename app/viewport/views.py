"""Views that the user has saved of each model file: a name and a camera, stored between starts."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base import settings
from tumble.app.replay.replay_view import camera_from, camera_to, fits
from tumble.app.session.session import Session
from tumble.render.camera import Camera

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

"""Copy and paste in the window: the state and the camera, as MJCF or as plain text, at full precision."""

from __future__ import annotations

from PyQt6.QtGui import QGuiApplication

from tumble.app.session.session import Session
from tumble.app.shell.saving import state_paste
from tumble.app.simulation.state_text import key_element, state_lines
from tumble.app.viewport.cameras import CameraTextError, camera_element, camera_lines, read_camera
from tumble.app.viewport.widget import Viewport


class Clipboard:
    """Copied text is in a form that `paste` understands."""

    def __init__(self, session: Session, view: Viewport) -> None:
        self._session, self._view = session, view

    def copy_state(self, *, plain: bool = False) -> None:
        """Copy the state as a <key> element; plain: as lines of numbers."""
        if self._session.snapshot is not None:
            self._put((state_lines if plain else key_element)(self._session.snapshot))
            self._session.status.emit("Copied the state as text" if plain else "Copied the state as a <key> element")

    def copy_camera(self, *, plain: bool = False) -> None:
        """Copy the camera as a <camera> element; plain: as lines of numbers."""
        seen = self._view.view()
        if seen is not None:
            self._put(camera_lines(self._view.camera, seen) if plain else camera_element(seen))
            self._session.status.emit("Copied the camera as text" if plain else "Copied the camera as a <camera> element")

    def paste(self) -> None:
        """Take the state, or the camera, that the text on the clipboard gives."""
        clipboard = QGuiApplication.clipboard()
        mime = clipboard.mimeData() if clipboard is not None else None
        text = mime.text() if mime is not None else ""
        model = self._session.model
        try:
            if model is not None and (("<camera" in text and "<key" not in text) or text.lstrip().startswith("lookat =")):
                self._view.set_camera(read_camera(text, self._view.camera, model))
                self._session.status.emit("Pasted the camera")
            else:
                self._session.status.emit(state_paste.paste(self._session, mime))
        except (state_paste.PasteError, CameraTextError) as error:
            self._session.status.emit(f"Nothing pasted: {error}")

    def _put(self, text: str) -> None:
        clipboard = QGuiApplication.clipboard()
        if clipboard is not None:
            clipboard.setText(text)

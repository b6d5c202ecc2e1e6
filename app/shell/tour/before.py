"""State of the window before the tour, and its restoration."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING

from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.library import archive as archives
from tumble.app.shell.tour.targets import contact_filter

if TYPE_CHECKING:
    from tumble.app.editing.keyframes import SavedPose
    from tumble.app.shell.window import ShellWindow

log = logging.getLogger(__name__)


class Before:
    """Panels, switches and the model as they are when this is made."""

    def __init__(self, window: ShellWindow) -> None:
        session = window.session
        self._window = window
        self._layout, self._folded = window.saveState(), window.layouts.sides.to_json()
        self._closed = [dock for dock in window.docks if not dock.isVisible()]
        self._paused = session.paused
        self._points = window.actions_by_name["contact_point"].isChecked()
        self._filter = contact_filter(window).text()
        self._camera = window.viewport.camera
        self.path = session.origin
        self.changes = window.edits.changes()
        self._poses = _unwritten(window)

    @property
    def can_reopen(self) -> bool:
        """True if another model is open or loading now, and the previous one's file still exists."""
        session = self._window.session
        other = session.loads.busy or session.origin != self.path or self.change_count > 0
        return self.path is not None and other and os.path.isfile(archives.on_disk(self.path))

    @property
    def change_count(self) -> int:
        """Number of unsaved changes and keyframes."""
        return len(self.changes) + len(self._poses)

    def bring_back_panels(self) -> None:
        """The panels in their places, closed ones closed, and the switches that the tour sets."""
        window = self._window
        window.restoreState(self._layout)
        window.layouts.sides.from_json(self._folded)
        for dock in self._closed:
            dock.hide()
        contact_filter(window).setText(self._filter)
        points = window.actions_by_name["contact_point"]
        if points.isChecked() != self._points:
            points.trigger()
        window.session.set_paused(self._paused)

    def reopen(self) -> None:
        """The model that was open, seen as it was, with the changes that were not written to its file."""
        session, path = self._window.session, self.path
        if path is None:
            return

        def on_loaded() -> None:
            session.model_loaded.disconnect(on_loaded)
            if session.origin == path:
                self._window.viewport.set_camera(self._camera)
                change_again(self._window.edits, self.changes)
                if self._poses:
                    _bring(self._window, self._poses)

        session.model_loaded.connect(on_loaded)
        self._window.open_at_once(path)


def _unwritten(window: ShellWindow) -> list[SavedPose]:
    """The keyframes that are in no file."""
    if not window.edits.keyframes:
        return []
    from tumble.app.editing.keyframes import Keyframes

    return window.session.part(Keyframes).unwritten


def _bring(window: ShellWindow, poses: list[SavedPose]) -> None:
    from tumble.app.editing.keyframes import Keyframes

    window.session.part(Keyframes).bring(poses)


def change_again(edits: Edits, changes: dict[EditPlace, tuple[Values, Values]]) -> None:
    """Apply changes (before, now) again to the reloaded model, where its file still has the old values."""
    again: dict[EditPlace, Values] = {}
    for place, (before, now) in changes.items():
        try:
            same = edits.value(place) == before
        except IndexError:  # the file was changed meanwhile, and has fewer elements
            same = False
        if same:
            again[place] = now
        else:
            log.warning("a change of %s is not made again: the file has another value now", place.field)
    edits.set_all(again, "Changes kept")

"""Keyframes go into the model's file: the change is shown as a patch, and saved when the user wants it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from tumble.app.base.background import Background
from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing import keyframe_patch
from tumble.app.editing.keyframes import Keyframes
from tumble.app.editing.patch import Patch, PatchError
from tumble.app.editing.whole_model import save_copy
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.widgets.patch_view import PatchView, lines_of
from tumble.app.widgets.write_bar import choose_copy, protected

log = logging.getLogger(__name__)

SAID = "Keyframes in {}; nothing else changes. The result was loaded and checked."


class KeyframeWriting(QObject):
    """told: progress or error message; "" for none."""

    told = pyqtSignal(str)

    def __init__(self, session: Session, keyframes: Keyframes, parent: QWidget) -> None:
        super().__init__(parent)
        self._session, self._keyframes, self._parent = session, keyframes, parent
        self._background = Background("keyframe patch", self)
        self._names: list[str] = []
        self._then: Callable[[bool], None] | None = None  # called with whether it is saved
        self.view = PatchView(parent)
        self.view.wanted.connect(self._save)
        self.view.copy_wanted.connect(self._save_copy)
        self.view.rejected.connect(lambda: self._answer(False))
        session.model_loaded.connect(self.view.reject)

    def ask(self, then: Callable[[bool], None] | None = None) -> None:
        """Show the patch; then: called at the end with whether it was saved."""
        path, model = self._session.path, self._session.model
        if self._background.busy:
            if then is not None:
                then(False)
            return
        self._then = then
        if path is None or model is None:
            self._refuse("this model has no file")
            return
        if reason := without_text(path):
            self._refuse(reason)
            return
        known, wanted = [*self._keyframes.known], self._keyframes.wanted()
        self.told.emit("Loading the changed model to verify it…")

        def made() -> tuple[Patch, list[str], list[str]]:
            patch, names = keyframe_patch.make(path, known, wanted)
            return patch, names, lines_of(patch)

        self._background.run(made, lambda result: self._offer(path, *result), self._refuse, (PatchError,))

    def _offer(self, path: Path, patch: Patch, names: list[str], lines: list[str]) -> None:
        self.told.emit("")
        if path != self._session.path:
            self._answer(False)  # another one runs by now
            return
        self._names = names
        files = ", ".join(file.path.name for file in patch.files)
        self.view.show_patch(patch, lines, protected=protected(path), said=SAID.format(files))

    def _refuse(self, why: str) -> None:
        self.told.emit(f"No patch: {why}")
        self._answer(False)

    def _answer(self, saved: bool) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(saved)

    def _save(self, patch: Patch) -> None:
        model, names = self._session.model, self._names

        def then() -> None:
            self._session.files_written.emit([(file.path, file.before, file.after) for file in patch.files])
            if model is self._session.model:
                self._keyframes.written(names)
            written = ", ".join(file.path.name for file in patch.files)
            log.info("wrote keyframes to %s", written)
            self._session.status.emit(f"Saved keyframes in {written}")

        self._session.writing = True
        self._run(patch.save, then)

    def _save_copy(self, patch: Patch) -> None:
        source = self._session.path
        if source is not None and (name := choose_copy(self._parent, source)):
            done = with_keys(f"Saved {name}: this scene stays open; open the copy with Ctrl+O")

            def copied() -> None:
                self._keyframes.copied()
                self._session.status.emit(done)

            self._run(lambda: save_copy(patch, source, Path(name)), copied)

    def _run(self, work: Callable[[], None], then: Callable[[], None]) -> None:
        """Save in the background; the view waits, and closes once it is done."""

        def ended() -> None:
            self._session.writing = False
            then()
            self.view.accept()
            self._answer(True)

        def failed(why: str) -> None:
            self._session.writing = False
            self._session.files_written.emit([])
            self.view.refuse(why)

        self.view.wait("Saving…")
        self._background.run(work, lambda nothing: ended(), failed, (PatchError,))

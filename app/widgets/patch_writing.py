"""A change of a model's files that is made in the background, shown as a patch, and saved when the user wants it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QWidget

from tumble.app.base.background import Background
from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.patch import Patch
from tumble.app.editing.whole_model import save_copy
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.widgets.patch_view import PatchView, lines_of
from tumble.app.widgets.write_bar import choose_copy, protected

log = logging.getLogger(__name__)


class PatchSubject(Struct, frozen=True):
    """Contents of a patch in words: "keyframes". on_saved: called once the files have them; on_copied: once a copy has."""

    words: str
    on_saved: Callable[[], None]
    on_copied: Callable[[], None]


class PatchWriting(QObject):
    """told: progress or error message; "" for none."""

    told = pyqtSignal(str)

    def __init__(self, session: Session, parent: QWidget, name: str) -> None:
        """name: of its threads."""
        super().__init__(parent)
        self._session, self._parent = session, parent
        self._background = Background(name, self)
        self._subject: PatchSubject | None = None
        self._then: Callable[[bool], None] | None = None  # called with whether it is saved
        self.view = PatchView(parent)
        self.view.wanted.connect(self._save)
        self.view.copy_wanted.connect(self._save_copy)
        self.view.rejected.connect(lambda: self._answer(False))
        session.model_loaded.connect(self.view.reject)

    def propose(self, make: Callable[[Path], Patch], subject: PatchSubject, then: Callable[[bool], None] | None = None) -> None:
        """Show a patch; make: called in the background with the model's file, may raise PatchError.

        then: called at the end with whether it was saved.
        """
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
        self.told.emit("Loading the changed model to verify it…")

        def made() -> tuple[Patch, list[str]]:
            patch = make(path)
            return patch, lines_of(patch)

        self._background.run(made, lambda result: self._offer(path, subject, *result), self._refuse, (PatchError,))

    def _offer(self, path: Path, subject: PatchSubject, patch: Patch, lines: list[str]) -> None:
        self.told.emit("")
        if path != self._session.path:
            self._answer(False)  # another one runs by now
            return
        self._subject = subject
        files = ", ".join(file.path.name for file in patch.files)
        said = f"{subject.words.capitalize()} in {files}; nothing else changes. The result was loaded and checked."
        self.view.show_patch(patch, lines, protected=protected(path), said=said)

    def _refuse(self, why: str) -> None:
        self.told.emit(f"No patch: {why}")
        self._answer(False)

    def _answer(self, saved: bool) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(saved)

    def _save(self, patch: Patch) -> None:
        model, subject = self._session.model, self._subject
        assert subject is not None

        def then() -> None:
            self._session.files_written.emit([(file.path, file.before, file.after) for file in patch.files])
            if model is self._session.model:
                subject.on_saved()
            written = ", ".join(file.path.name for file in patch.files)
            log.info("wrote %s to %s", subject.words, written)
            self._session.status.emit(f"Saved {subject.words} in {written}")

        self._session.writing = True
        self._run(patch.save, then)

    def _save_copy(self, patch: Patch) -> None:
        source, subject = self._session.path, self._subject
        assert subject is not None
        if source is not None and (name := choose_copy(self._parent, source)):
            done = with_keys(f"Saved {name}: this scene stays open; open the copy with Ctrl+O")

            def copied() -> None:
                subject.on_copied()
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

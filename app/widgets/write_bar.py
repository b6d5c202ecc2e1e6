"""How many values differ from the file's, and what to do about it: back to the file, or into the file."""

from __future__ import annotations

import logging
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.editing.edits import Edits
from app.editing.patch import Patch, PatchError, make
from app.editing.patch_copy import save_copy
from app.library import unpack
from app.library.examples import is_bundled
from app.replay.archive import SUFFIX
from app.session.session import Session
from app.widgets.patch_view import PatchView

log = logging.getLogger(__name__)


class WriteBar(QWidget):
    """The foot of the parameters dock; it is about every change to the model, wherever it was made."""

    def __init__(self, session: Session, edits: Edits) -> None:
        super().__init__()
        self._session, self._edits = session, edits
        self.count = QLabel()
        self.count.setProperty("dim", True)
        self.back = QPushButton("Back to file")
        self.back.setToolTip("Bring all changed values back to those of the file; can be undone")
        self.back.clicked.connect(lambda: edits.restore())
        self.write = QPushButton("Write to file…")
        self.write.setToolTip("Show what would change in the MJCF file, and save it there")
        self.write.clicked.connect(self.ask)
        self.problem = QLabel()
        self.problem.setProperty("bad", True)
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.view = PatchView(self)
        self.view.wanted.connect(self._save)
        self.view.copy_wanted.connect(self._save_copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 10, 8)
        column.addWidget(self.problem)
        line = QHBoxLayout()
        line.addWidget(self.count, 1)
        line.addWidget(self.back)
        line.addWidget(self.write)
        column.addLayout(line)
        edits.changed.connect(lambda place: self._show())
        edits.cleared.connect(self._clear)
        self._show()

    def ask(self) -> None:
        """Show what would be written."""
        path = self._session.path
        if path is None or self._session.model is None:
            self._say("this model has no file")
            return
        if path.suffix.lower() == SUFFIX:
            self._say(f"{path.name} is a replay, with the model as it was: open the model's own file to change it")
            return
        try:
            patch = make(path, self._session.model, self._edits.changes())
        except PatchError as error:
            self._say(str(error))
            return
        except Exception as error:  # a fault of ours, in code that other people's files run through
            log.exception("making a patch of %s failed", path)
            self._say(f"internal error: {error}")
            return
        self._say("")
        self.view.show_patch(patch, protected=protected(path))

    def _save(self, patch: Patch) -> None:
        try:
            patch.save()
        except PatchError as error:
            self.view.refuse(str(error))
            self.view.save.setEnabled(False)  # it was made for a file that is no longer there
            return
        self._session.files_written.emit([(file.path, file.before, file.after) for file in patch.files])
        self._edits.written(patch.places)
        self.view.accept()
        names = ", ".join(file.path.name for file in patch.files)
        log.info("wrote %d changes to %s", len(patch.places), names)
        self._session.status.emit(f"Saved {names}")

    def _save_copy(self, patch: Patch) -> None:
        source = self._session.path
        if source is None:
            return
        wanted = source if not protected(source) else Path.home() / source.name
        name, _ = QFileDialog.getSaveFileName(self, "Save a copy of the model", str(wanted), "MJCF models (*.xml *.mjcf)")
        if not name:
            return
        try:
            save_copy(patch, source, Path(name))
        except PatchError as error:
            self.view.refuse(str(error))
            return
        self.view.accept()
        log.info("wrote a copy with %d changes to %s", len(patch.places), name)
        self._session.status.emit(f"Saved {name}: this scene goes on unsaved; open the copy with Ctrl+O")

    def _say(self, why: str) -> None:
        self.problem.setText(f"No patch: {why}" if why else "")
        self.problem.setVisible(bool(why))

    def _clear(self) -> None:
        self.view.reject()
        self._say("")
        self._show()

    def _show(self) -> None:
        count = len(self._edits.changes())
        self.count.setText(f"{count} changed" if count else "as in the file")
        self.back.setEnabled(count > 0)
        self.write.setEnabled(count > 0)
        if self.view.isVisible():
            self.view.reject()  # what it shows is no longer what would be written


def protected(path: Path) -> str:
    """Why a model's file is not to be changed; empty: it may be."""
    if is_bundled(path):
        return "This scene came with the program and stays as it is: save a copy"
    return "This scene lies in an archive, which stays as it is: save a copy" if unpack.folder_of(path) else ""

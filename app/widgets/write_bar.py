"""How many values differ from the file's, and what to do about it: back to the file, or into the file."""

from __future__ import annotations

import logging
from pathlib import Path

from PyQt6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.base.background import Background
from app.editing.edits import EditPlace, Edits, Values
from app.editing.patch import Patch, PatchError, make
from app.editing.patch_copy import save_copy
from app.library import unpack
from app.library.examples import is_bundled
from app.session.loader import without_text
from app.session.session import Session
from app.widgets.patch_view import PatchView, lines_of
from physics import MjModel

log = logging.getLogger(__name__)

CHECKING = "Checking that the changed model loads\N{HORIZONTAL ELLIPSIS}"
SAVING = "Saving\N{HORIZONTAL ELLIPSIS}"
Changes = dict[EditPlace, tuple[Values, Values]]  # before, now


class WriteBar(QWidget):
    """The foot of the parameters dock; it is about every change to the model, wherever it was made."""

    def __init__(self, session: Session, edits: Edits) -> None:
        super().__init__()
        self._session, self._edits = session, edits
        self._background = Background("patch", self)  # to check a patch, the changed model is compiled
        self._busy = ""
        self._offered: Changes = {}  # what the patch that is shown is of
        self.count = QLabel()
        self.count.setProperty("dim", True)
        self.back = QPushButton("Back to file")
        self.back.setToolTip("Restore all changed values from the file; can be undone")
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
        edits.settled.connect(self._show)
        edits.cleared.connect(self._clear)
        self._show()

    def ask(self) -> None:
        """Show what would be written."""
        path = self._session.path
        if path is None or self._session.model is None:
            self._say("this model has no file")
            return
        if reason := without_text(path):
            self._say(reason)
            return
        if self._busy:
            return
        model, changes = self._session.model, self._edits.changes()
        self._set_busy(CHECKING)
        self._background.run(
            lambda: _made(path, model, changes),
            lambda made: self._offer(*made, model, changes),
            lambda why: self._refuse(why, model),
            (PatchError,),
        )

    def _offer(self, patch: Patch, lines: list[str], model: MjModel, changes: Changes) -> None:
        self._set_busy("")
        path = self._session.path
        if model is not self._session.model or path is None:
            return  # another one runs by now
        if changes != self._edits.changes():
            self.ask()  # for what is changed by now
            return
        self._say("")
        self._offered = changes
        self.view.show_patch(patch, lines, protected=protected(path))

    def _refuse(self, why: str, model: MjModel) -> None:
        self._set_busy("")
        if model is self._session.model:
            self._say(why)

    def _save(self, patch: Patch) -> None:
        model = self._session.loaded_model
        values = {place: self._offered[place][1] for place in patch.places}
        self._session.writing = True
        self._begin_saving()
        self._background.run(
            patch.save, lambda nothing: self._on_saved(patch, model, values), self._on_not_saved, (PatchError,)
        )

    def _on_saved(self, patch: Patch, model: MjModel, values: dict[EditPlace, Values]) -> None:
        self._end_saving([(file.path, file.before, file.after) for file in patch.files])
        if model is self._session.model:
            self._edits.written(values)
        self.view.accept()
        names = ", ".join(file.path.name for file in patch.files)
        log.info("wrote %d changes to %s", len(patch.places), names)
        self._session.status.emit(f"Saved {names}")

    def _on_not_saved(self, why: str) -> None:
        self._end_saving([])
        self.view.refuse(why)
        self.view.save.setEnabled(False)  # it was made for a file that is no longer there

    def _begin_saving(self) -> None:
        self._set_busy(SAVING)
        self.view.wait(SAVING)

    def _end_saving(self, files: list[tuple[Path, bytes, bytes]]) -> None:
        """files: of the model, which the program itself has changed."""
        self._set_busy("")
        self._session.writing = False
        self._session.files_written.emit(files)

    def _save_copy(self, patch: Patch) -> None:
        source = self._session.path
        if source is None:
            return
        wanted = source if not protected(source) else Path.home() / source.name
        name, _ = QFileDialog.getSaveFileName(self, "Save a copy of the model", str(wanted), "MJCF models (*.xml *.mjcf)")
        if not name:
            return
        self._begin_saving()
        self._background.run(
            lambda: save_copy(patch, source, Path(name)), lambda nothing: self._on_copied(patch, name), self._on_not_copied,
            (PatchError,),
        )  # fmt: skip

    def _on_copied(self, patch: Patch, name: str) -> None:
        self._end_saving([])
        self.view.accept()
        log.info("wrote a copy with %d changes to %s", len(patch.places), name)
        self._session.status.emit(f"Saved {name}: this scene stays open unsaved; open the copy with Ctrl+O")

    def _on_not_copied(self, why: str) -> None:
        self._end_saving([])
        self.view.refuse(why)

    def _set_busy(self, doing: str) -> None:
        """The work in the background, "": none; while it runs, nothing else can be requested."""
        self._busy = doing
        self._show_count()

    def _say(self, why: str) -> None:
        self.problem.setText(f"No patch: {why}" if why else "")
        self.problem.setVisible(bool(why))

    def _clear(self) -> None:
        self.view.reject()
        self._say("")
        self._show()

    def _show(self) -> None:
        self._show_count()
        if self.view.isVisible():
            self.view.reject()  # what it shows is no longer what would be written

    def _show_count(self) -> None:
        count = self._edits.count
        self.count.setText(self._busy or (f"{count} changed" if count else "as in the file"))
        self.back.setEnabled(count > 0)
        self.write.setEnabled(count > 0 and not self._busy)


def _made(path: Path, model: MjModel, changes: Changes) -> tuple[Patch, list[str]]:
    """The patch, and how it is shown; of the model it reads names and sizes, which never change. Raises PatchError."""
    try:
        patch = make(path, model, changes)
        return patch, lines_of(patch)
    except PatchError:
        raise
    except Exception as error:  # a fault of ours, in code that other people's files run through
        log.exception("making a patch of %s failed", path)
        raise PatchError(f"internal error: {error}") from error


def protected(path: Path) -> str:
    """Why a model's file is not to be changed; empty: it may be."""
    if is_bundled(path):
        return "This scene is bundled with the program and is not overwritten: save a copy"
    return "This scene is in an archive, which is not changed: save a copy" if unpack.folder_of(path) else ""

"""Bar with the number of values that differ from the file, to revert or write them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from tumble.app.base.background import Background
from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.patch import Patch, make
from tumble.app.editing.whole_model import save_copy
from tumble.app.library import unpack
from tumble.app.library.examples import is_bundled
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.widgets.patch_view import PatchView, lines_of
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.physics.base.files import home

if TYPE_CHECKING:
    from tumble.physics import MjModel

log = logging.getLogger(__name__)

CHECKING = "Checking the change\N{HORIZONTAL ELLIPSIS}"  # by loading the model with it
SAVING = "Saving\N{HORIZONTAL ELLIPSIS}"
WRITE_TIP = "Show what would change in the MJCF file, and save it there"
Changes = dict[EditPlace, tuple[Values, Values]]  # before, now


class WriteBar(QWidget):
    """The foot of the parameters dock; it is about every change to the model, wherever it was made."""

    def __init__(self, session: Session, edits: Edits) -> None:
        super().__init__()
        self._session, self._edits = session, edits
        self._background = Background("patch", self)  # to check a patch, the changed model is compiled
        self._busy = ""
        self._then: Callable[[bool], None] | None = None  # called with whether it is saved
        self._offered: Changes = {}  # source of the displayed patch
        self.count = ElidedLabel("")
        self.count.setProperty("dim", True)
        self.back = QPushButton("Revert")
        self.back.setToolTip("Restore all changed values from the file; can be undone")
        self.back.clicked.connect(lambda: edits.restore())
        self.write = QPushButton("Write to file…")
        self.write.clicked.connect(lambda: self.ask())
        self.problem = QLabel()
        self.problem.setProperty("bad", True)
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.view = PatchView(self)
        self.view.wanted.connect(self._save)
        self.view.copy_wanted.connect(self._save_copy)
        self.view.rejected.connect(lambda: self._tell(saved=False))
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 6, 10, 8)
        column.addWidget(self.problem)
        for button in (self.back, self.write):
            button.setStyleSheet("padding: 4px 8px")  # a narrow dock has room for both
        line = QHBoxLayout()
        line.addWidget(self.count, 1)
        line.addWidget(self.back)
        line.addWidget(self.write)
        column.addLayout(line)
        edits.settled.connect(self._show)
        edits.cleared.connect(self._clear)
        self._show()

    def ask(self, then: Callable[[bool], None] | None = None) -> None:
        """Show the patch; then: called at the end with whether it was saved."""
        if self._busy:
            if then is not None:
                then(False)
            return
        self._tell(saved=False)
        self._then = then
        path = self._session.path
        if path is None or self._session.model is None:
            self._say("this model has no file")
            return
        if reason := without_text(path):
            self._say(reason)
            return
        self._check(path)

    def _tell(self, *, saved: bool) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(saved)

    def _check(self, path: Path) -> None:
        model, changes = self._session.loaded_model, self._edits.changes()
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
            self._tell(saved=False)  # another one runs by now
            return
        if changes != self._edits.changes():
            self._check(path)  # for changes made by now
            return
        self._say("")
        self._offered = changes
        self.view.show_patch(patch, lines, protected=protected(path))

    def _refuse(self, why: str, model: MjModel) -> None:
        self._set_busy("")
        if model is self._session.model:
            self._say(why)
        else:
            self._tell(saved=False)

    def _save(self, patch: Patch) -> None:
        model = self._session.loaded_model
        values = {place: self._offered[place][1] for place in patch.places}
        self._session.writing = True
        self._begin_saving()
        self._background.run(
            patch.save, lambda nothing: self._on_saved(patch, model, values), self._on_not_saved, (PatchError,)
        )

    def _on_saved(self, patch: Patch, model: MjModel, values: dict[EditPlace, Values]) -> None:
        then, self._then = self._then, None
        self._end_saving([(file.path, file.before, file.after) for file in patch.files])
        if model is self._session.model:
            self._edits.written(values)
        self.view.accept()
        names = ", ".join(file.path.name for file in patch.files)
        log.info("wrote %d changes to %s", len(patch.places), names)
        self._session.status.emit(f"Saved {names}")
        if then is not None:
            then(True)

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
        name = "" if source is None else choose_copy(self, source)
        if source is None or not name:
            return
        # Those that a patch cannot carry are in no file yet.
        changes = dict(self._offered) if patch.places and not patch.left else None
        self._begin_saving()
        self._background.run(
            lambda: save_copy(patch, source, Path(name)), lambda nothing: self._on_copied(patch, name, changes),
            self._on_not_copied, (PatchError,),
        )  # fmt: skip

    def _on_copied(self, patch: Patch, name: str, changes: Changes | None) -> None:
        self._end_saving([])
        self.view.accept()
        log.info("wrote a copy with %d changes to %s", len(patch.places), name)
        if changes is not None:
            self._edits.copied(changes)
        self._session.status.emit(with_keys(f"Saved {name}: the scene that is open stays as it is; open the copy with Ctrl+O"))
        self._tell(saved=True)

    def _on_not_copied(self, why: str) -> None:
        self._end_saving([])
        self.view.refuse(why)

    def _set_busy(self, doing: str) -> None:
        """Set the running background task, "": none; meanwhile other requests are blocked."""
        self._busy = doing
        self._show_count()

    def _say(self, why: str) -> None:
        self.problem.setText(f"No patch: {why}" if why else "")
        self.problem.setVisible(bool(why))
        if why:
            self._session.status.emit(f"No patch: {why}")  # this panel may not be in sight
            self._tell(saved=False)

    def _clear(self) -> None:
        self.view.reject()
        self._say("")
        self._show()

    def _show(self) -> None:
        self._show_count()
        if self.view.isVisible():
            self.view.reject()  # the displayed patch is outdated

    def _show_count(self) -> None:
        count = self._edits.count
        self.count.set_text(self._busy or (f"{count} changed" if count else "as in the file"))
        self.back.setEnabled(count > 0)
        self.write.setEnabled(count > 0 and not self._busy)
        self.write.setToolTip(WRITE_TIP if count else "Nothing differs from the file")


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


def choose_copy(parent: QWidget, source: Path) -> str:
    """Ask for the file of a copy of a model; "": none is wanted."""
    wanted = home() / source.name if protected(source) else source
    name, _ = QFileDialog.getSaveFileName(parent, "Save a copy of the model", str(wanted), "MJCF models (*.xml *.mjcf)")
    return name

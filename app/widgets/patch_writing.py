"""A change of a model's files: made in the background, shown as a diff, and saved once the user wants it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtBoundSignal, pyqtSignal
from PyQt6.QtGui import QColor, QKeySequence, QSyntaxHighlighter, QTextCursor
from PyQt6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit, QWidget

from tumble.app.base.background import Background
from tumble.app.base.keys_in_text import with_keys
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.patch import Patch
from tumble.app.editing.whole_model import save_copy
from tumble.app.library import unpack
from tumble.app.library.examples import is_bundled
from tumble.app.look import theme
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.widgets.layout import hbox, make_button, make_label, vbox
from tumble.physics.base.files import home

log = logging.getLogger(__name__)

CHECKING = "Checking the change\N{HORIZONTAL ELLIPSIS}"  # by loading the model with it
SAVING = "Saving\N{HORIZONTAL ELLIPSIS}"
_INK = {"+": "good", "-": "bad", "@": "disabled"}


def lines_of(patch: Patch) -> list[str]:
    """The diffs of all files of a patch."""
    return [line for file in patch.files for line in file.diff()]


class DiffInks(QSyntaxHighlighter):
    """The colours of a diff's lines, by how they begin."""

    def highlightBlock(self, text: str | None) -> None:
        """Colour a line."""
        ink = theme.colours()[_INK.get((text or "")[:1], "dim")]
        self.setFormat(0, len(text or ""), QColor(ink))


class PatchView(QDialog):
    """Does not block the window: the simulation can still be used.

    wanted: save this patch; copy_wanted: save the model as it changes it under another name.
    """

    wanted = pyqtSignal(object)
    copy_wanted = pyqtSignal(object)

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Write to the MJCF file")
        self.resize(760, 420)
        self._patch: Patch | None = None
        self._savable = False  # to the model's own files
        self.head = make_label(wrap=True)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Changes of the file")
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono(9.5))
        self._inks = DiffInks(self.text.document())
        self.left = make_label(ink="warn", wrap=True)
        self.save = make_button("Save", act=lambda: self._emit(self.wanted))
        self.save.setShortcut(QKeySequence("Ctrl+Return"))
        self.copy = make_button("Save a copy…", act=lambda: self._emit(self.copy_wanted))
        cancel = make_button("Cancel", "Leave the file as it is (Esc)", self.reject)
        vbox(self.head, (self.text, 1), self.left, hbox(None, cancel, self.copy, self.save), inside=self)

    def show_patch(self, patch: Patch, lines: Sequence[str], *, protected: str, said: str = "") -> None:
        """Show a patch; lines: `lines_of` it, which takes long for large files.

        protected: why the model can only be saved as a copy, or ""; said: text in place of the counts.
        """
        self._patch = patch
        names = ", ".join(str(file.path) for file in patch.files)
        count = len(patch.places)
        changes = f"{count} change{'s' if count != 1 else ''} to {names}"
        said = said or f"{changes}; nothing else changes. The result was loaded and checked."
        self.head.setText(said if patch.files else "There is nothing to write.")
        self._savable = bool(patch.files) and not protected
        self.save.setEnabled(self._savable)
        self.save.setToolTip(protected or "Write these lines to the file")
        self.copy.setEnabled(bool(patch.files))
        self.copy.setToolTip("Write the changed file under another name")
        self.copy.setText("Save as…" if protected else "Save a copy…")
        if protected and patch.files:
            self.head.setText(f"{self.head.text()}\n{protected}.")
        # Only where a copy is offered: elsewhere, the disabled button explains it.
        self.save.setHidden(bool(protected) and not self.copy.isHidden())
        (self.copy if protected else self.save).setDefault(True)
        self.text.setPlainText("\n".join(line.expandtabs(4) for line in lines))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self.left.setText("Not written:\n" + "\n".join(patch.left[:12]) if patch.left else "")
        self.left.setVisible(bool(patch.left))
        self.show()
        self.raise_()
        self.activateWindow()

    def wait(self, doing: str) -> None:
        """Saving: input is blocked until `refuse`, or until it is closed."""
        self.save.setEnabled(False)
        self.copy.setEnabled(False)
        self.left.setText(doing)
        self.left.show()

    def refuse(self, why: str, *, again: bool = True) -> None:
        """Show why it is not saved; the view stays. again: saving can be tried again."""
        self.save.setEnabled(self._savable and again)
        self.copy.setEnabled(True)
        self.left.setText(f"Not saved: {why}")
        self.left.show()

    def _emit(self, signal: pyqtBoundSignal) -> None:
        if self._patch is not None:
            signal.emit(self._patch)


Then = Callable[[bool], None]  # called at the end with whether the change was saved


class PatchSubject(Struct, frozen=True):
    """Subject of a patch. words: "keyframes"; "": the changes of the model, which are counted.

    on_saved: called once the files have it; on_copied: once a copy has it; again: proposes it anew, where `is_current` says that
    it is outdated by the time at which it could be shown.
    """

    words: str
    on_saved: Callable[[], None]
    on_copied: Callable[[], None]
    is_current: Callable[[], bool] = lambda: True
    again: Callable[[Then | None], None] = lambda then: None


class PatchWriting(QObject):
    """told: progress or error message; "" for none. busy: a patch is checked or saved; other requests are refused."""

    told = pyqtSignal(str)

    def __init__(self, session: Session, parent: QWidget, name: str) -> None:
        """name: of its threads."""
        super().__init__(parent)
        self._session, self._parent = session, parent
        self._background = Background(name, self)
        self._subject: PatchSubject | None = None
        self._then: Then | None = None
        self.busy = False
        self.view = PatchView(parent)
        self.view.wanted.connect(self._save)
        self.view.copy_wanted.connect(self._save_copy)
        self.view.rejected.connect(lambda: self._answer(False))
        session.model_loaded.connect(self.view.reject)

    def propose(self, make: Callable[[Path], Patch], subject: PatchSubject, then: Then | None = None) -> None:
        """Show a patch; make: called in the background with the model's file, may raise PatchError."""
        path, model = self._session.path, self._session.model
        if self.busy:
            if then is not None:
                then(False)
            return
        self._answer(False)
        self._then = then
        if path is None or model is None:
            self._refuse("this model has no file")
            return
        if reason := without_text(path):
            self._refuse(reason)
            return
        self._tell(CHECKING, busy=True)

        def offer(made: tuple[Patch, list[str]] | str) -> None:
            self._tell("")
            if model is not self._session.model:
                self._answer(False)  # another one runs by now
            elif isinstance(made, str):
                self._refuse(made)
            else:
                self._offer(path, subject, *made)

        self._background.run(lambda: _made(make, path), offer, offer, (PatchError,))

    def _offer(self, path: Path, subject: PatchSubject, patch: Patch, lines: list[str]) -> None:
        if not subject.is_current():
            then, self._then = self._then, None
            subject.again(then)
            return
        self._subject = subject
        files = ", ".join(file.path.name for file in patch.files)
        said = f"{subject.words.capitalize()} in {files}; nothing else changes. The result was loaded and checked."
        self.view.show_patch(patch, lines, protected=protected(path), said=said if subject.words else "")

    def _refuse(self, why: str) -> None:
        self._tell(f"No patch: {why}")
        self._answer(False)

    def _tell(self, text: str, *, busy: bool = False) -> None:
        self.busy = busy
        self.told.emit(text)

    def _answer(self, saved: bool) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(saved)

    def _save(self, patch: Patch) -> None:
        model, subject = self._session.model, self._subject
        assert subject is not None

        def saved() -> None:
            self._session.files_written.emit([(file.path, file.before, file.after) for file in patch.files])
            if model is self._session.model:
                subject.on_saved()
            written = ", ".join(file.path.name for file in patch.files)
            log.info("wrote %s to %s", subject.words or f"{len(patch.places)} changes", written)
            self._session.status.emit(f"Saved {subject.words} in {written}" if subject.words else f"Saved {written}")

        self._session.writing = True
        self._run(patch.save, saved, again=False)  # what fails was made for a file that is no longer there

    def _save_copy(self, patch: Patch) -> None:
        source, subject = self._session.path, self._subject
        assert subject is not None
        if source is not None and (name := choose_copy(self._parent, source)):
            done = with_keys(f"Saved {name}: this scene stays open; open the copy with Ctrl+O")

            def copied() -> None:
                log.info("wrote a copy with %s to %s", subject.words or f"{len(patch.places)} changes", name)
                subject.on_copied()
                self._session.status.emit(done)

            self._run(lambda: save_copy(patch, source, Path(name)), copied, again=True)

    def _run(self, work: Callable[[], None], done: Callable[[], None], *, again: bool) -> None:
        """Save in the background; the view waits, and closes once it is done. again: it can be tried again where it fails."""

        def ended() -> None:
            self._tell("")
            self._session.writing = False
            then, self._then = self._then, None
            done()
            self.view.accept()
            if then is not None:
                then(True)

        def failed(why: str) -> None:
            self._tell("")
            self._session.writing = False
            self._session.files_written.emit([])
            self.view.refuse(why, again=again)

        self._tell(SAVING, busy=True)
        self.view.wait(SAVING)
        self._background.run(work, lambda nothing: ended(), failed, (PatchError,))


def _made(make: Callable[[Path], Patch], path: Path) -> tuple[Patch, list[str]]:
    """A patch, and how it is shown. Raises PatchError."""
    try:
        patch = make(path)
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

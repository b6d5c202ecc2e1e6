"""The diff of a patch, for review before it is saved."""

from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import pyqtBoundSignal, pyqtSignal
from PyQt6.QtGui import QColor, QKeySequence, QSyntaxHighlighter, QTextCursor
from PyQt6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from tumble.app.editing.patch import Patch
from tumble.app.look import theme
from tumble.app.widgets.layout import hbox, make_button, make_label, vbox

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

    def refuse(self, why: str) -> None:
        """Show why it is not saved; the view stays."""
        self.save.setEnabled(self._savable)
        self.copy.setEnabled(True)
        self.left.setText(f"Not saved: {why}")
        self.left.show()

    def _emit(self, signal: pyqtBoundSignal) -> None:
        if self._patch is not None:
            signal.emit(self._patch)

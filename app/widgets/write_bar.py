"""Bar with the number of values that differ from the file, to revert or write them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PyQt6.QtWidgets import QWidget

from tumble.app.editing.edits import Edits
from tumble.app.editing.patch import Patch, make
from tumble.app.session.session import Session
from tumble.app.widgets.layout import hbox, make_button, make_label, vbox
from tumble.app.widgets.patch_writing import PatchSubject, PatchWriting
from tumble.app.widgets.slider_row import ElidedLabel

WRITE_TIP = "Show what would change in the MJCF file, and save it there"


class WriteBar(QWidget):
    """The foot of the parameters dock; it is about every change to the model, wherever it was made."""

    def __init__(self, session: Session, edits: Edits) -> None:
        super().__init__()
        self._session, self._edits = session, edits
        self._doing = ""  # what the writing is at
        self.count = ElidedLabel("")
        self.count.setProperty("dim", True)
        tip = "Restore all changed values from the file; can be undone"
        self.back = make_button("Revert", tip, lambda: edits.restore(), style="padding: 4px 8px")
        self.write = make_button("Write to file…", act=lambda: self.ask(), style="padding: 4px 8px")
        self.problem = make_label(ink="bad", wrap=True)
        self.problem.hide()
        self.writing = PatchWriting(session, self, "patch")
        self.view = self.writing.view
        line = hbox((self.count, 1), self.back, self.write)
        vbox(self.problem, line, margins=(12, 6, 10, 8), inside=self)
        self.writing.told.connect(self._hear)
        edits.settled.connect(self._show)
        edits.cleared.connect(self._clear)
        self._show()

    def ask(self, then: Callable[[bool], None] | None = None) -> None:
        """Show the patch; then: called at the end with whether it was saved."""
        if self._session.model is None:
            self._hear("No patch: this model has no file")
            if then is not None:
                then(False)
            return
        model, changes = self._session.model, self._edits.changes()
        made: list[Patch] = []

        def make_it(path: Path) -> Patch:
            made[:] = [make(path, model, changes)]  # of the model it reads names and sizes, which never change
            return made[0]

        def copied() -> None:
            if made[0].places and not made[0].left:  # else those that a patch cannot carry are in no file yet
                self._edits.copied(changes)

        self.writing.propose(make_it, PatchSubject(
            "", lambda: self._edits.written({place: changes[place][1] for place in made[0].places}), copied,
            lambda: changes == self._edits.changes(), self.ask,
        ), then)  # fmt: skip

    def _hear(self, text: str) -> None:
        """Show what the writing is at, or why it could not be done."""
        self._doing, why = (text, "") if self.writing.busy else ("", text)
        self.problem.setText(why)
        self.problem.setVisible(bool(why))
        if why:
            self._session.status.emit(why)  # this panel may not be in sight
        self._show_count()

    def _clear(self) -> None:
        self.view.reject()
        self._hear("")
        self._show()

    def _show(self) -> None:
        self._show_count()
        if self.view.isVisible():
            self.view.reject()  # the displayed patch is outdated

    def _show_count(self) -> None:
        count = self._edits.count
        self.count.set_text(self._doing or (f"{count} changed" if count else "as in the file"))
        self.back.setEnabled(count > 0)
        self.write.setEnabled(count > 0 and not self._doing)
        self.write.setToolTip(WRITE_TIP if count else "Nothing differs from the file")

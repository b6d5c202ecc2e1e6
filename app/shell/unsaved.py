"""Unsaved changes of the model: their description, and the question before they would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, Qt
from PyQt6.QtWidgets import QMessageBox, QPushButton

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.session.loader import without_text
from tumble.app.session.requests import WriteChanges, WriteKeyframes
from tumble.app.session.session import Session

if TYPE_CHECKING:
    from PyQt6.QtWidgets import QMainWindow

    from tumble.physics import MjModel

LISTED = 6  # so many changes are named
_KINDS = {"jnt": "joint", "eq": "equality", "cam": "camera", "mat": "material", "tex": "texture"}


def count_words(count: int) -> str:
    """Total number of unsaved changes."""
    return f"{count} unsaved change{'s' if count != 1 else ''}"


def change_words(model: MjModel, place: EditPlace, before: Values, now: Values) -> str:
    """A change, for reading: solref of geom box: 0.02 1 → 0.2 1."""
    numbers = " → ".join(" ".join(f"{value:.6g}" for value in values) for values in (before, now))
    return f"{_place_words(model, place)}: {numbers}"


def _place_words(model: MjModel, place: EditPlace) -> str:
    if place.index is None:
        return place.field.rpartition(".")[2]
    prefix, _, attribute = place.field.partition("_")
    if prefix == "dof":
        return f"{attribute} of joint {name_of(model, physics.mjtObj.mjOBJ_JOINT, int(model.dof_jntid[place.index]))}"
    word = _KINDS.get(prefix, prefix)
    kind = physics.mjtObj.__members__.get(f"mjOBJ_{word.upper()}")
    name = f"{word} {place.index}" if kind is None else name_of(model, kind, place.index)
    return f"{attribute} of {name if name.startswith(word) else f'{word} {name}'}"


def list_words(edits: Edits, model: MjModel) -> str:
    """All changes, a line each; where there are many, the first of them."""
    lines = [f"{edits.keyframes} keyframe{'s' if edits.keyframes != 1 else ''}"] if edits.keyframes else []
    lines += [change_words(model, place, *values) for place, values in edits.changes().items()]
    more = len(lines) - LISTED
    return "\n".join(lines if more <= 0 else [*lines[:LISTED], f"… and {more} more"])


def _writing(edits: Edits, then: Callable[[bool], None] | None = None) -> WriteChanges | WriteKeyframes:
    """First kind of change to write: numbers, then keyframes."""
    return WriteChanges(then) if edits.unsaved > edits.keyframes else WriteKeyframes(then)


class UnsavedBadge(QPushButton):
    """Button with the number of unsaved changes; a click shows the patch."""

    def __init__(self, session: Session, edits: Edits) -> None:
        super().__init__()
        self._session, self._edits = session, edits
        self.setFlat(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName("Unsaved changes")
        self.clicked.connect(lambda: session.ask(_writing(edits)))
        self.hide()

    def follow(self) -> None:
        """Update the button."""
        count, model = self._edits.unsaved, self._session.model
        self.setVisible(count > 0)
        if count and model is not None:
            self.setText(count_words(count))
            self.setToolTip(f"{list_words(self._edits, model)}\nClick to write them to the file")


class Leaving(QObject):
    """Asks before unsaved changes would be lost; box: the question while it is asked."""

    def __init__(self, session: Session, window: QMainWindow) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._edits = session.part(Edits)
        self.box: QMessageBox | None = None

    def then(self, go: Callable[[], object], doing: str) -> None:
        """Run an action that loses the changes: at once without any, else once they are saved, or the user has given them up.

        doing: the action, as in "Before {doing}".
        """
        if self.box is not None:
            self.box.raise_()
            self.box.activateWindow()
        elif self._edits.unsaved and self._session.model is not None:
            self._ask(go, doing)
        else:
            go()

    def _ask(self, go: Callable[[], object], doing: str) -> None:
        model, path = self._session.loaded_model, self._session.origin
        box = QMessageBox(self._window)
        box.setWindowTitle("Unsaved changes")
        box.setIcon(QMessageBox.Icon.Warning)
        name = path.name if path is not None else "The model"
        box.setText(f"{name} has {count_words(self._edits.unsaved)}, which would be lost by {doing}.")
        box.setInformativeText(list_words(self._edits, model))
        save = box.addButton("Save to file…", QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        cancel = box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
        assert save is not None
        assert discard is not None
        save.setToolTip("Show what would be written, and save it")
        discard.setToolTip("Continue without saving")
        reason = without_text(path) if path is not None else "this model has no file"
        if reason:
            save.setEnabled(False)
            save.setToolTip(reason)
            box.setInformativeText(f"{box.informativeText()}\n\nThey cannot be saved: {reason}.")
        box.setDefaultButton(cancel if reason else save)
        box.setEscapeButton(cancel)
        box.finished.connect(lambda: self._on_answer(box, save, discard, go, doing))
        self.box = box
        box.open()
        box.activateWindow()

    def _on_answer(
        self, box: QMessageBox, save: QPushButton, discard: QPushButton, go: Callable[[], object], doing: str
    ) -> None:
        chosen = box.clickedButton()
        self.box = None
        box.deleteLater()
        if chosen is discard:
            go()
        elif chosen is save:
            self._session.ask(_writing(self._edits, lambda saved: self.then(go, doing) if saved else None))

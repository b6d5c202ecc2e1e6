"""The user's changes to the model: shown, undone, restored to the file's values, and written to the file."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from operator import attrgetter
from time import monotonic
from typing import Any

import numpy as np
from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QAction, QUndoCommand, QUndoStack

from tumble.app.describe.islands import refusal
from tumble.app.session.session import Session
from tumble.app.simulation.changes import Change
from tumble.app.simulation.commands import SetModel
from tumble.app.simulation.correspondence import GONE, Correspondence
from tumble.physics.state.enums import mjtEnableBit
from tumble.physics.state.own import ContactModel

log = logging.getLogger(__name__)

Values = tuple[float, ...]
TOGETHER = 0.7  # changes of one number within this time [s] are one step of undo: a slider is dragged


# Fields of poses and sizes, which a file may write in other frames and forms, and so but to rounding; and of height fields.
OF_SHAPE = frozenset(
    (*(f"{prefix}_{name}" for prefix in ("geom", "site", "cam") for name in ("pos", "quat")), "geom_size", "site_size")
)
OF_HFIELD = frozenset(("hfield_data", "hfield_size"))


class EditPlace(Struct, frozen=True):
    """Place of numbers: a field of the model (`geom_solref`) or of its options (`opt.timestep`), and the element or None."""

    field: str
    index: int | None = None


SLEEP_FLAGS, INTEGRATOR = EditPlace("opt.enableflags"), EditPlace("opt.integrator")
CONTACT_MODEL = EditPlace("tumble.contact_model")


class Edits(QObject):
    """Changes to the model while it runs, with undo.

    changed: the numbers at a place changed; settled: a step is complete, however many places it changed; cleared: all are
    as in the file again, or another model is loaded.
    Values are as the model holds them. The model itself belongs to the simulation thread: `value` returns what it holds
    once the commands on their way are carried out.
    """

    changed = pyqtSignal(object)  # Place
    settled = pyqtSignal()
    cleared = pyqtSignal()
    keyframes_listed = pyqtSignal(list)  # names of all keyframes, those too that are in no file; from `Keyframes`

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.stack = QUndoStack(self)
        self._session = session
        self._first: dict[EditPlace, Values] = {}
        self._now: dict[EditPlace, Values] = {}
        self._differing: set[EditPlace] = set()  # kept, so that a change of many places counts each but once
        self._copied: dict[EditPlace, tuple[Values, Values]] = {}  # contents of the last saved copy of the file
        self.keyframes = 0  # how many are in no file either; from `Keyframes`
        self.carried = ""  # outcome of changes at the last reload, in words
        session.model_loaded.connect(self._follow)
        session.history.rewritten.connect(self._read_again)

    def value(self, place: EditPlace) -> Values:
        """The numbers at a place."""
        return self._now[place] if place in self._now else self._read(place)

    def first(self, place: EditPlace) -> Values:
        """The numbers that the file gave."""
        return self._first[place] if place in self._first else self._read(place)

    def is_changed(self, place: EditPlace) -> bool:
        """True if the numbers differ from the file's."""
        return place in self._first and self.value(place) != self._first[place]

    def changes(self) -> dict[EditPlace, tuple[Values, Values]]:
        """All places that differ from the file: (before, now)."""
        return {p: (self._first[p], self.value(p)) for p in self._first if self.is_changed(p)}

    @property
    def count(self) -> int:
        """Number of places that differ from the file."""
        return len(self._differing)

    @property
    def unsaved(self) -> int:
        """Number of places that differ from the file and from a saved copy; keyframes count too."""
        return self.keyframes + (0 if self._copied and self.changes() == self._copied else self.count)

    def note_keyframes(self, count: int) -> None:
        """Set the number of keyframes that are in no file."""
        if count != self.keyframes:
            self.keyframes = count
            self.settled.emit()

    def set(self, place: EditPlace, value: Values, text: str) -> None:
        """Change numbers; text: for the undo menu."""
        self.set_all({place: value}, text)

    def set_all(self, values: dict[EditPlace, Values], text: str, gesture: int = 0) -> None:
        """Change several places as one step of undo; the status bar says what of it no step could run with.

        gesture: number of a drag, all of whose changes are one step, whatever places they are of; 0: of none.
        """
        wanted = {p: v for p, v in values.items() if v != self.value(p)}
        if self._session.model is None or not wanted:
            return
        why = self.refusal(wanted)
        if why:
            self._session.status.emit(why)
            self.settled.emit()  # fields show again what there is
        else:
            self.stack.push(_Change(self, wanted, text, gesture))

    def refusal(self, values: Mapping[EditPlace, Values]) -> str:
        """Why these values cannot be together, "" where they can."""
        if not {SLEEP_FLAGS, INTEGRATOR, CONTACT_MODEL} & values.keys():
            return ""
        flags, integrator, contacts = (
            int((values.get(place) or self.value(place))[0]) for place in (SLEEP_FLAGS, INTEGRATOR, CONTACT_MODEL)
        )
        sleeping = bool(flags & mjtEnableBit.mjENBL_SLEEP)
        return refusal(integrator, contacts == ContactModel.LCP) if sleeping else ""

    def changed_in(self, gesture: int) -> bool:
        """True if the last step of undo is that of a drag."""
        last = self.stack.command(self.stack.index() - 1)
        return isinstance(last, _Change) and last.gesture == gesture

    def restore(self, places: list[EditPlace] | None = None) -> None:
        """Back to the file's values: these places, or all; can be undone."""
        chosen = list(self.changes()) if places is None else [p for p in places if self.is_changed(p)]
        self.set_all({p: self._first[p] for p in chosen}, "Revert to the file")

    def written(self, values: Mapping[EditPlace, Values]) -> None:
        """The file was written: these values are the new reference for changes."""
        for place, value in values.items():
            self._first[place] = value
            self._note(place)
            self.changed.emit(place)
        self.settled.emit()

    def copied(self, changes: dict[EditPlace, tuple[Values, Values]]) -> None:
        """A copy of the file has these changes."""
        self._copied = changes
        self.settled.emit()

    def show_in(self, undo: QAction, redo: QAction) -> None:
        """Update text and state of the undo and redo actions."""
        for action, can, what in ((undo, self.stack.canUndoChanged, self.stack.undoTextChanged),
                                  (redo, self.stack.canRedoChanged, self.stack.redoTextChanged)):  # fmt: skip
            word = action.text()
            action.setEnabled(False)
            can.connect(action.setEnabled)
            what.connect(lambda text, action=action, word=word: action.setText(f"{word} {text[:1].lower()}{text[1:]}".rstrip()))

    def apply(self, values: Mapping[EditPlace, Values]) -> None:
        """Send changes to the simulation; for the steps of undo."""
        for place, value in values.items():
            if place not in self._first:
                self._first[place] = self._read(place)
            self._now[place] = value
            self._note(place)
            self._session.history.note_edit(place.field)
            self._session.send(SetModel(Change(place.field, place.index, value)))
            self.changed.emit(place)
        self.settled.emit()

    def _read_again(self) -> None:
        """The model's numbers are as they were at another time."""
        self._now.clear()
        self._tell_all()

    def _tell_all(self) -> None:
        for place in self._first:
            self._note(place)
        for place in self._first:
            self.changed.emit(place)
        self.settled.emit()

    def _note(self, place: EditPlace) -> None:
        """A place has other numbers, or the file has."""
        if self.is_changed(place):
            self._differing.add(place)
        else:
            self._differing.discard(place)

    def _read(self, place: EditPlace) -> Values:
        value: Any = attrgetter(place.field)(self._session.model)
        if place.index is not None:
            value = value[place.index]
        return tuple(float(x) for x in np.ravel(value))

    def _follow(self) -> None:
        """Another model runs; if it is the same one reloaded, unwritten changes are applied again."""
        if self._session.recompiled:
            self._stay()
            return
        kept = self._session.kept
        changes = self.changes() if kept is not None else {}
        self._forget()
        self.carried = ""
        if kept is not None and changes:
            self._go_on(changes, kept)

    def _stay(self) -> None:
        """The model was compiled with the changes: it has those that a file can have, and gets the others again."""
        changes = self.changes()
        self._now.clear()
        for place, (_, now) in changes.items():
            self._now[place] = now
            if place.field not in OF_SHAPE and self._read(place) != now:
                self._session.send(SetModel(Change(place.field, place.index, now)))
        self._tell_all()

    def _go_on(self, changes: dict[EditPlace, tuple[Values, Values]], kept: Correspondence) -> None:
        """Apply changes again that still have a place. A number that changed in the file itself takes precedence."""
        again: dict[EditPlace, Values] = {}
        lost = []
        for place, (before, now) in changes.items():
            new = _place_now(place, kept)
            value = self._read(new) if new is not None else ()
            if new is None or len(value) != len(now):
                lost.append(f"{place.field}: its element is gone")
            elif value == before:
                again[new] = now
            elif value != now:
                lost.append(f"{place.field}: the file has another value now")
        self.set_all(again, "Changes kept")
        if lost:
            log.warning("changes not kept: %s", "; ".join(lost))
        self.carried = f"; {len(again)} changed value{'s' if len(again) != 1 else ''} kept"
        self.carried += f", {len(lost)} not: see the log" if lost else ""

    def _forget(self) -> None:
        self._first.clear()
        self._now.clear()
        self._differing.clear()
        self._copied = {}
        self.stack.clear()
        self.cleared.emit()


def _place_now(place: EditPlace, kept: Correspondence) -> EditPlace | None:
    """A place of the model before, in the model that was read again."""
    if place.index is None:
        return place
    prefix = place.field.partition("_")[0]
    index = kept.element(prefix, place.index) if kept.knows(prefix) else GONE
    return EditPlace(place.field, index) if index != GONE else None


class _Change(QUndoCommand):
    """One step of undo."""

    def __init__(self, edits: Edits, values: dict[EditPlace, Values], text: str, gesture: int) -> None:
        super().__init__(text)
        self.gesture = gesture
        self._edits = edits
        self._before = {place: edits.value(place) for place in values}
        self._after = values
        self._made = monotonic()

    def redo(self) -> None:
        self._edits.apply(self._after)

    def undo(self) -> None:
        self._edits.apply(self._before)

    def id(self) -> int:
        return 1

    def mergeWith(self, other: QUndoCommand | None) -> bool:
        """Merge a later change of the same gesture, or of the same places that follows soon."""
        if not isinstance(other, _Change) or other.gesture != self.gesture:
            return False
        if self.gesture:
            self._before = other._before | self._before
            self._after = self._after | other._after
            return True
        if set(other._after) != set(self._after) or other._made - self._made > TOGETHER:
            return False
        self._after = other._after
        self._made = other._made
        return True

"""Numbers that only a compiler derives from shapes and poses, in a model whose shapes are changed while it runs.

Bounds and constants follow at once (physics/changes.py). Masses that are inferred from geoms, lengths of muscles, and which
frames are the same, follow when the text with the changes is compiled, in the background: each number that differs is then
changed in the running model. Where the layout of the inertia matrix differs too, the compiled model takes its place and goes
on from its state.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, Qt, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import OF_HFIELD, OF_SHAPE, EditPlace, Edits, Values
from tumble.app.replay.timeline import EDITABLE
from tumble.app.session.loader import CompiledModel, without_text
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetNumbers
from tumble.physics.state.fields import MODEL
from tumble.physics.state.fields.internal import MODEL_INTERNAL

if TYPE_CHECKING:
    from pathlib import Path

    from tumble.physics import MjModel

log = logging.getLogger(__name__)

PATIENCE = 10.0  # for a compiler that is at work when the window closes [s]
_ONCE = Qt.ConnectionType.SingleShotConnection
SHAPES = OF_SHAPE | OF_HFIELD
Numbers = tuple[tuple[str, NDArray[Any], NDArray[Any]], ...]
_OF_VIEW = re.compile("(opt|vis|tumble)_|stat_(?!meaninertia)")
_ADJUSTED = [name for name, field in EDITABLE.items() if not _OF_VIEW.match(name)]
_OTHERS = {f.name for f in MODEL_INTERNAL} | {"names", "names_map", "paths"}
_FREE = re.compile("bvh_|opt_|tumble_|.*_pathadr")  # whole numbers that follow, or that no layout depends on
_WHOLE = [f.name for f in MODEL if not f.dtype.startswith("f") and f.name not in EDITABLE]
_LAYOUT = [name for name in _WHOLE if name not in _OTHERS and not _FREE.match(name)]


class CompiledChanges(Struct, frozen=True):
    """Models of the file and of its text with the changes; texts: contents of the files that differ, by path.

    written: the places of the changes that the text has; left: the others, in words.
    """

    fresh: MjModel
    model: MjModel
    texts: Mapping[str, bytes]
    written: tuple[EditPlace, ...]
    left: tuple[str, ...]


class StructureFollower(QObject):
    """Follows the changes of shapes, whoever makes them. settled: the running model is as its text with the changes gives it.

    problem: why it is not, "" where it is; busy: True while a compiler is at work on them.
    """

    settled = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._edits = session, session.part(Edits)
        self._background = Background("structure", self)
        self.problem = ""
        self.busy = False
        self._gesture = self._gestures = 0
        self._bundle = session.bundle  # of the files as they were read
        self._stale = False  # whether shapes are, or were, other than those of the file
        self._waits = False  # whether the changes are others than those that are compiled now
        self._adjusted: dict[str, NDArray[np.bool_]] = {}  # numbers that differ from the file's since they were compiled
        self._edits.settled.connect(self._look)
        session.model_loaded.connect(self._begin)

    @property
    def gesture(self) -> int:
        """Number of the drag that goes on, for `Edits.set_all`; 0: none."""
        return self._gesture

    def begin_gesture(self) -> int:
        """A drag begins: its changes are one step of undo, and are compiled at its end."""
        self._gestures += 1
        self._gesture = self._gestures
        return self._gesture

    def end_gesture(self) -> None:
        """The drag is over."""
        self._gesture = 0
        self._look()

    def close(self) -> bool:
        """Wait for the compiler; returns True if it has ended."""
        return self._background.close(PATIENCE)

    def _begin(self) -> None:
        """Another model runs; one compiled with the changes is as its text already."""
        self._gesture, self.problem = 0, ""
        if not self._session.recompiled:
            self._adjusted, self._stale, self._bundle = {}, False, self._session.bundle
        self._look()

    def _look(self) -> None:
        changes = self._edits.changes()
        session = self._session
        shaped = any(place.field in SHAPES for place in changes)
        self._stale |= shaped
        if session.model is None or self._gesture or not self._stale:
            return
        if self.busy:
            self._waits = True
            return
        path, model = session.path, session.model
        if path is None or (why := without_text(path)):
            self._refuse(why if path is not None else "this model has no file")
            return
        self.busy, self._waits = True, False
        self._background.run(
            lambda: _compile(path, model, changes), lambda found: self._adjust(found, model, changes), self._refuse, (PatchError,)
        )

    def _refuse(self, why: str) -> None:
        self.busy = False
        if why != self.problem:
            self.problem = why
            self._session.status.emit(f"Masses inferred from geoms stay as they are: {why}")
        self.settled.emit()
        self._look_again()

    def _look_again(self) -> None:
        if self._waits:
            self._waits = False
            self._look()

    def _adjust(self, found: CompiledChanges, model: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]]) -> None:
        self.busy = False
        if model is not self._session.model or changes != self._edits.changes() or self._gesture:
            self._waits = True
        elif not self._session.is_obeyed:  # the changes have not arrived yet
            again = lambda: self._adjust(found, model, changes)  # noqa: E731
            self._session.advanced.connect(again, type=_ONCE)  # type: ignore[call-arg]
            self.busy = True
            return
        else:
            self._take(found, model, changes)
        self._look_again()

    def _take(self, found: CompiledChanges, model: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]]) -> None:
        session, unwritten = self._session, {place for place in changes if place not in found.written}
        self.problem = found.left[0] if found.left else ""
        if not _same_layout(model, found.model):
            if self._bundle is not None and session.path is not None:
                session.recompile(CompiledModel(found.model, self._bundle.changed(session.path.parent, found.texts)))
            return
        numbers, self._adjusted = differences(model, found, self._adjusted, unwritten)
        self._stale = any(place.field in SHAPES for place in changes)
        if numbers:
            session.send(SetNumbers(numbers, derive=bool(unwritten)))
        self.settled.emit()


def differences(
    model: MjModel, found: CompiledChanges, adjusted: Mapping[str, NDArray[np.bool_]], unwritten: set[EditPlace]
) -> tuple[Numbers, dict[str, NDArray[np.bool_]]]:
    """Numbers to change in a running model, and by field those that differ from the file's then.

    adjusted: those that differed before, which may be the file's again; unwritten: places that no file can have, which stay.
    """
    numbers: list[tuple[str, NDArray[Any], NDArray[Any]]] = []
    now: dict[str, NDArray[np.bool_]] = {}
    for name in _ADJUSTED:
        file, wanted, live = (np.asarray(getattr(m, name)).ravel() for m in (found.fresh, found.model, model))
        if not len(wanted):
            continue
        moved = _differ(file, wanted)
        concerned = moved | adjusted[name] if name in adjusted else moved
        if name.endswith("_sameframe"):  # a change sets it back
            concerned = np.full(len(wanted), not unwritten)
        if moved.any():
            now[name] = moved
        if not concerned.any():
            continue
        width = max(1, wanted.size // max(1, np.atleast_1d(getattr(model, name)).shape[0]))
        for place in unwritten:
            if place.field == name and place.index is not None:
                concerned[place.index * width : (place.index + 1) * width] = False
        index = np.flatnonzero(concerned & _differ(live, wanted))
        if len(index):
            numbers.append((name, index, wanted[index].copy()))
    return tuple(numbers), now


def _differ(a: NDArray[Any], b: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray((a != b) & ~((a != a) & (b != b)))  # not-a-number differs from itself


def _same_layout(first: MjModel, second: MjModel) -> bool:
    """True if two models differ in real numbers alone, and in whole ones that no size follows from."""
    sizes = second.sizes()
    if any(size != sizes[name] for name, size in first.sizes().items() if name not in ("npaths", "ncollide")):
        return False
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in _LAYOUT)


def _compile(path: Path, model: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]]) -> CompiledChanges:
    from tumble.app.editing.patch import compiled, make  # bring the compiler, which a window without a model does not need

    if not changes:
        fresh = compiled(path)
        return CompiledChanges(fresh, fresh, {}, (), ())
    patch = make(path, model, changes)
    assert patch.fresh is not None
    assert patch.model is not None
    texts = {str(file.path): file.after for file in patch.files}
    return CompiledChanges(patch.fresh, patch.model, texts, tuple(patch.places), tuple(patch.left))

"""Keyframes of the running model: those of its file, and those saved from a moment, until they are written there."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QUndoCommand

from tumble.app.base.background import Background
from tumble.app.editing.edits import Edits
from tumble.app.editing.keyframe_patch import ATTRIBUTES, Array, WantedKey, names_of, start_values
from tumble.app.session.session import Session
from tumble.app.simulation.commands import copy_state
from tumble.app.simulation.snapshot import ATTRIBUTES as FIELDS
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics import mj_forward
from tumble.render.frame import Frame

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)


class SavedPose(Struct, frozen=True, eq=False):
    """A state with a name. values: by attribute of <key>, all of them; origin: its number in the file, None: not in it yet;
    frame: poses for its picture, None until known."""

    name: str
    time: float
    values: dict[str, Array]
    origin: int | None = None
    frame: Frame | None = None


class Keyframes(QObject):
    """changed: list, names or pictures changed; waiting: number of differences from the file."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._background = Background("keyframes", self)
        self._start: dict[str, Array] = {}
        self.all: list[SavedPose] = []
        self.known: list[str] = []  # the names of those in the file, in its order
        self._copied: list[tuple[str, int | None]] = []  # those that a copy of the file has that was saved last
        self.written_at = 0  # times that the file was written: steps of undo do not reach beyond that
        session.model_loaded.connect(self._follow)
        self.changed.connect(self._tell)
        self._follow()

    def close(self) -> bool:
        """The session ends; returns True if its thread has ended."""
        return self._background.close(10.0)

    def _tell(self) -> None:
        edits = self._session.part(Edits)
        edits.note_keyframes(0 if self._copied == self._listed() else self.waiting)
        edits.keyframes_listed.emit([self.title(key) for key in self.all])

    def title(self, key: SavedPose) -> str:
        """Name, or number in the file for one without a name."""
        return key.name or f"key {key.origin}"

    @property
    def waiting(self) -> int:
        """Number of keyframes added, renamed or removed since the file was read or written."""
        there = {key.origin: key.name for key in self.all if key.origin is not None}
        changed = sum(there.get(number) != name for number, name in enumerate(self.known))
        return changed + sum(key.origin is None for key in self.all)

    def save(self, name: str = "") -> SavedPose | None:
        """Save the present state; None: there is no model."""
        snapshot = self._session.snapshot
        if self._session.model is None or snapshot is None:
            return None
        values = _values(snapshot)
        if not all(np.isfinite(numbers).all() for numbers in values.values()):
            self._session.status.emit("No keyframe was saved: this state has numbers that are not finite")
            return None
        pose = SavedPose(self._free(_line(name) or "pose"), snapshot.time, values, None, snapshot.frame.copy())
        self._change([*self.all, pose], f"Save keyframe {pose.name}")
        return pose

    def rename(self, key: SavedPose, name: str) -> None:
        """Rename it; an empty name changes nothing, and a used one gets a number."""
        if _line(name) and _line(name) != key.name and key in self.all:
            named = replace(key, name=self._free(_line(name)))
            self._change([named if other is key else other for other in self.all], f"Rename keyframe {self.title(key)}")

    def remove(self, key: SavedPose) -> None:
        """Remove it; from the file, once that is written."""
        if key in self.all:
            self._change([other for other in self.all if other is not key], f"Remove keyframe {self.title(key)}")

    def load(self, key: SavedPose) -> None:
        """Go on from it."""
        values = {FIELDS[name]: tuple(numbers.tolist()) for name, numbers in key.values.items() if numbers.size}
        self._session.reset(state=tuple({"time": (key.time,), **values}.items()))
        self._session.status.emit(f"Loaded keyframe {self.title(key)}")

    def go(self, number: int) -> None:
        """Reset to one of `all`."""
        key, model = self.all[number], self._session.loaded_model
        if key.origin is not None and names_of(model)[key.origin : key.origin + 1] == [key.name]:
            self._session.reset(key.origin)  # the model has it
        else:
            self.load(key)

    def wanted(self) -> list[WantedKey]:
        """All of them as the file is to have them: without the numbers that are as at the start."""
        start = self._start
        return [
            WantedKey(key.name, key.time, {n: v for n, v in key.values.items() if not np.array_equal(v, start[n])}, key.origin)
            for key in self.all
        ]

    def written(self, names: list[str]) -> None:
        """The file has these now, in this order."""
        self.known = names
        self.written_at += 1
        unnamed = iter(number for number, name in enumerate(names) if not name)
        place = {name: number for number, name in enumerate(names) if name}
        keys = [replace(key, origin=place.get(key.name) if key.name else next(unnamed, None)) for key in self.all]
        self.all = [key for key in keys if key.name or key.origin is not None]  # empty ones of <size nkey> have made room
        self.all += [SavedPose("", 0.0, dict(self._start), number) for number in unnamed]  # or there are more of them
        self.changed.emit()

    def copied(self) -> None:
        """A copy of the file has these."""
        self._copied = self._listed()
        self.changed.emit()

    def _listed(self) -> list[tuple[str, int | None]]:
        return [(key.name, key.origin) for key in self.all]

    def hold(self, poses: list[SavedPose]) -> None:
        """Set the list; for the undo steps."""
        self.all = [*poses]
        self.changed.emit()

    def _change(self, poses: list[SavedPose], text: str) -> None:
        self._session.part(Edits).stack.push(_Listing(self, poses, text))

    def _free(self, name: str) -> str:
        taken = {key.name for key in self.all}
        stem = name.rstrip("0123456789").rstrip() or name
        return name if name not in taken else next(t for k in range(2, len(taken) + 3) if (t := f"{stem} {k}") not in taken)

    def _follow(self) -> None:
        """Another model runs; after a reload, keyframes that are not in its file yet stay."""
        model = self._session.model
        if model is None:
            return
        self._copied = []
        kept = self.unwritten if self._session.kept is not None else []
        self._start, self.known = start_values(model), names_of(model)
        self.all = [
            SavedPose(name, float(model.key_time[k]), {a: np.array(getattr(model, f"key_{a}")[k], float) for a in ATTRIBUTES}, k)
            for k, name in enumerate(self.known)
        ]
        self.bring(kept)

    @property
    def unwritten(self) -> list[SavedPose]:
        """Those that are in no file."""
        return [key for key in self.all if key.origin is None]

    def bring(self, kept: list[SavedPose]) -> None:
        """Add keyframes that were saved before a reload."""
        for key in kept:
            if any(len(key.values[name]) != len(values) for name, values in self._start.items()):
                log.warning("keyframe %s is lost: the file has other joints or actuators now", key.name)
            elif not any(_same(key, other) for other in self.all):
                self.all.append(replace(key, name=self._free(key.name)))
        self.changed.emit()

    # ---- pictures of the file's keyframes

    def draw(self) -> None:
        """Compute the poses for pictures, in the background."""
        missing = [key for key in self.all if key.frame is None]
        model = self._session.model
        if missing and not self._background.busy:
            self._session.send(copy_state(lambda copied: self._pose(model, copied, missing)))

    def _pose(self, model: MjModel | None, copied: tuple[MjModel, MjData] | str, keys: list[SavedPose]) -> None:
        """Called in the simulation thread, with copies of model and data."""
        if not isinstance(copied, str):
            self._background.run(lambda: [_frame(*copied, key) for key in keys], lambda made: self._show(model, keys, made))

    def _show(self, model: MjModel | None, keys: list[SavedPose], frames: list[Frame]) -> None:
        if model is not self._session.model:
            self.changed.emit()  # pictures of the present model may have been requested meanwhile
            return
        drawn = {id(key): frame for key, frame in zip(keys, frames, strict=True)}
        self.all = [replace(key, frame=drawn[id(key)]) if id(key) in drawn else key for key in self.all]
        self.changed.emit()


class _Listing(QUndoCommand):
    """One undo step: another list of keyframes. Once the file is written the numbers in it are outdated, and it does nothing."""

    def __init__(self, keyframes: Keyframes, after: list[SavedPose], text: str) -> None:
        super().__init__(text)
        self._keyframes, self._before, self._after = keyframes, [*keyframes.all], after
        self._written_at = keyframes.written_at

    def redo(self) -> None:
        self._hold(self._after)

    def undo(self) -> None:
        self._hold(self._before)

    def _hold(self, poses: list[SavedPose]) -> None:
        if self._written_at == self._keyframes.written_at:
            self._keyframes.hold(poses)
        else:
            self.setObsolete(True)


def _line(name: str) -> str:
    """A name valid in a file and in a list: one line of printable characters."""
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())


def _same(one: SavedPose, other: SavedPose) -> bool:
    return one.name == other.name and all(np.allclose(one.values[n], other.values[n], rtol=0, atol=1e-15) for n in ATTRIBUTES)


def _values(snapshot: Snapshot) -> dict[str, Array]:
    return {name: np.array(getattr(snapshot, FIELDS[name]), float).ravel() for name in ATTRIBUTES}


def _frame(model: MjModel, data: MjData, key: SavedPose) -> Frame:
    """Frame of a keyframe; data: a scratch copy."""
    data.time = key.time
    for name, numbers in key.values.items():
        getattr(data, FIELDS[name]).reshape(-1)[:] = numbers
    mj_forward(model, data)
    taken = Snapshot(data)
    taken.fill(data)
    return taken.frame.copy()

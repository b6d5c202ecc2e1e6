"""A look at two geoms of the running simulation: a copy between two steps, checked and recorded in the background."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.describe.collision import PairWords
from tumble.app.describe.contacts import Names
from tumble.app.session.session import Session
from tumble.app.simulation.commands import CopyState
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics.compiler.compile import outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.observe.pair_check import check_pair

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.observe.pair_check import PairCheck

Moment = tuple[float, bytes]
Point = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Seen:
    """Result of a collision check, and the time of its state."""

    words: PairWords
    moment: Moment

    @property
    def check(self) -> PairCheck:
        """The pair in numbers."""
        return self.words.check


def moment_of(snapshot: Snapshot) -> Moment:
    """A moment, told from others by time and pose."""
    return snapshot.time, np.asarray(snapshot.qpos).tobytes()


class CollisionLook(QObject):
    """seen: a look has ended, its Seen; failed: why it could not be taken."""

    seen = pyqtSignal(object)
    failed = pyqtSignal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._background = Background("collision", self)
        self._asked = 0  # looks so far: of several the last counts
        self._busy = False
        self._places: dict[int, str] = {}  # of excludes, in the model's files
        session.model_loaded.connect(self._places.clear)

    @property
    def busy(self) -> bool:
        """True while a check runs."""
        return self._busy

    def take(self, pair: tuple[int, int]) -> None:
        """Look at two geoms; an earlier look that has not ended is forgotten."""
        session, snapshot = self._session, self._session.snapshot
        if session.model is None or snapshot is None:
            return
        self._asked += 1
        self._busy = True
        index = session.contact_choice.index
        near = snapshot.contact("pos")[index].copy() if 0 <= index < snapshot.ncon else None
        turn, path, places = self._asked, session.path, self._places

        def look(copied: tuple[MjModel, MjData] | str) -> None:
            self._background.run(
                lambda: _look(copied, pair, near, path, places), lambda found: self._tell(turn, found),
                lambda why: self._say(turn, why), (PhysicsError,),
            )  # fmt: skip

        session.send(CopyState(look))

    def forget(self) -> None:
        """Cancel the running check."""
        self._asked += 1
        self._busy = False

    def _tell(self, turn: int, found: Seen) -> None:
        if turn == self._asked:
            self._busy = False
            self.seen.emit(found)

    def _say(self, turn: int, why: str) -> None:
        if turn == self._asked:
            self._busy = False
            self.failed.emit(why)


def _look(
    copied: tuple[MjModel, MjData] | str, pair: tuple[int, int], near: Point | None, path: Path | None, places: dict[int, str]
) -> Seen:
    if isinstance(copied, str):
        raise PhysicsError(copied)
    model, data = copied
    check = check_pair(model, data, *pair, near)
    names = Names(model).geoms
    if check.exclude >= 0 and path is not None and check.exclude not in places:
        places[check.exclude] = _place_of_exclude(path, check.exclude)
    words = PairWords(model, check, names[check.geom1], names[check.geom2], places.get(check.exclude, ""))
    return Seen(words, (float(data.time), np.asarray(data.qpos).tobytes()))


def _place_of_exclude(path: Path, number: int) -> str:
    """Place of an <exclude> in the model's files, as file:line; empty if unknown."""
    try:
        where = outline(read_path(path)).excludes[number].where
    except (PhysicsError, OSError, IndexError):
        return ""
    return f"{Path(where.file).name}:{where.line}"

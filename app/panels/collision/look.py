"""A look at two geoms of the running simulation: a copy between two steps, checked and recorded in the background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from tumble.app.base.background import Background
from tumble.app.describe.collision import PairWords
from tumble.app.describe.contacts import Names
from tumble.app.look.theme import INKS
from tumble.app.session.session import Session
from tumble.app.simulation.commands import copy_state
from tumble.app.simulation.snapshot import Snapshot
from tumble.app.viewport.figures import Figure, Stroke
from tumble.physics.compiler.compile import outline
from tumble.physics.errors import PhysicsError
from tumble.physics.mjcf.reader import read_path
from tumble.physics.observe.collision_steps import SearchKind
from tumble.physics.observe.pair_check import check_pair

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel
    from tumble.physics.observe.collision_record import CollisionRecord
    from tumble.physics.observe.collision_steps import CollisionStep
    from tumble.physics.observe.pair_check import PairCheck

Moment = tuple[float, bytes]
Point = NDArray[np.float64]


class Seen(Struct, frozen=True):
    """Result of a collision check, and the time of its state."""

    words: PairWords
    moment: Moment

    @property
    def check(self) -> PairCheck:
        """The pair in numbers."""
        return self.words.check


def moment_of(snapshot: Snapshot) -> Moment:
    """A moment, identified by time and pose."""
    return snapshot.time, np.asarray(snapshot.qpos).tobytes()


class CollisionLook(QObject):
    """seen: a look has ended, its Seen; failed: why it could not be taken; busy: a check runs."""

    seen = pyqtSignal(object)
    failed = pyqtSignal(str)

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._background = Background("collision", self)
        self._asked = 0  # looks so far: of several the last counts
        self.busy = False
        self._places: dict[int, str] = {}  # of excludes, in the model's files
        session.model_loaded.connect(self._places.clear)

    def take(self, pair: tuple[int, int]) -> None:
        """Examine two geoms; an unfinished examination is discarded."""
        session, snapshot = self._session, self._session.snapshot
        if session.model is None or snapshot is None:
            return
        self._asked += 1
        self.busy = True
        index = session.contact_choice.index
        near = snapshot.contact("pos")[index].copy() if 0 <= index < snapshot.ncon else None
        turn, path, places = self._asked, session.path, self._places

        def look(copied: tuple[MjModel, MjData] | str) -> None:
            self._background.run(
                lambda: _look(copied, pair, near, path, places), lambda found: self._tell(turn, found),
                lambda why: self._say(turn, why), (PhysicsError,),
            )  # fmt: skip

        session.send(copy_state(look))

    def forget(self) -> None:
        """Cancel the running check."""
        self._asked += 1
        self.busy = False

    def _tell(self, turn: int, found: Seen) -> None:
        if turn == self._asked:
            self.busy = False
            self.seen.emit(found)

    def _say(self, turn: int, why: str) -> None:
        if turn == self._asked:
            self.busy = False
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


Points = NDArray[np.float64]
FIRST, SECOND = INKS[1], INKS[0]  # inks of the first and the second geom
_PRISM = ((0, 1, 2, 0), (3, 4, 5, 3), (0, 3), (1, 4), (2, 5))  # its edges


def sketch(record: CollisionRecord, step: CollisionStep | None) -> list[Figure]:
    """The figures of a step; None: of the answer alone."""
    figures = []
    if record.prism is not None:
        figures += [Figure(record.prism[list(edge)], Stroke.LINE, "dim", 1.2) for edge in _PRISM]
    if step is not None and step.kind is SearchKind.CLIP and record.faces is not None:
        figures += [_outline(record.faces.face1, FIRST), _outline(record.faces.face2, SECOND)]
        figures.append(Figure(step.polygon, Stroke.AREA, "good", 1.8))
    elif step is not None:
        figures += _simplex(step)
    first, second = (record.point1, record.point2) if step is None else (step.point1, step.point2)
    if len(record.hit_pos) > 1:
        figures.append(Figure(record.hit_pos, Stroke.DOTS, "bright", 3.0))
    return [*figures, *_ends(first, second)]


def _outline(corners: Points, ink: str) -> Figure:
    return Figure(np.vstack([corners, corners[:1]]), Stroke.LINE, ink, 1.8)


def _simplex(step: CollisionStep) -> list[Figure]:
    """Points on both shapes of the simplex or the nearest face; the newest are larger."""
    rows = np.arange(len(step.vertices))
    if step.nearest >= 0:
        rows = step.faces[step.nearest]
    elif step.kind is SearchKind.PORTAL:
        rows = rows[1:4]
    figures = []
    for points, ink in ((step.on1, FIRST), (step.on2, SECOND)):
        figures += [Figure(points[[a, b]], Stroke.LINE, ink, 1.2) for i, a in enumerate(rows) for b in rows[i + 1 :]]
        figures.append(Figure(points[rows], Stroke.DOTS, ink, 3.2))
        if step.newest >= 0:
            figures.append(Figure(points[[step.newest]], Stroke.DOTS, ink, 5.0))
    return figures


def _ends(first: Points, second: Points) -> list[Figure]:
    """The nearest or deepest points and the way from one to the other."""
    if not np.isfinite([first, second]).all():
        return []
    return [
        Figure(np.array([first, second]), Stroke.LINE, "bright", 2.2),
        Figure(first[None], Stroke.DOTS, FIRST, 5.5),
        Figure(second[None], Stroke.DOTS, SECOND, 5.5),
    ]

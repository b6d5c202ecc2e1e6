"""The error of a fork relative to the simulation: its measures, and their way to the window."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

if TYPE_CHECKING:
    from tumble.physics import MjData

Array = NDArray[np.float64]

WAITING = 1024  # deliveries of samples that wait for a window that does not look


class ErrorMeasure(Struct, frozen=True):
    """A way to measure how far two states are apart; its value is the largest over bodies or dofs."""

    name: str
    unit: str
    tip: str


MEASURES = (
    ErrorMeasure("Position", "m", "Largest distance between a body and its copy in the fork"),
    ErrorMeasure("Angle", "rad", "Largest angle between a body and its copy in the fork"),
    ErrorMeasure("Velocity", "m/s, rad/s", "Largest difference of a dof's velocity"),
    ErrorMeasure("Constraint force", "N, N m", "Largest difference of the constraint force on a dof"),
    ErrorMeasure("Energy", "J", "Difference of potential and kinetic energy, while the flag energy of the model is on (Options)"),
)


class Compared:
    """The compared fields of a data, as views: they stay valid while the data live, and need no look-up.

    xpos (nbody, 3), xquat (nbody, 4), qvel and qfrc_constraint (nv,), energy (2,).
    """

    __slots__ = ("energy", "qfrc_constraint", "qvel", "xpos", "xquat")
    energy: Array
    qfrc_constraint: Array
    qvel: Array
    xpos: Array
    xquat: Array

    def __init__(self, data: MjData) -> None:
        for name in self.__slots__:
            setattr(self, name, getattr(data, name))


@np.errstate(invalid="ignore", over="ignore")  # a simulation that blows up is reported elsewhere
def errors(ours: MjData | Compared, theirs: MjData | Compared, our_qvel: Array, their_qvel: Array) -> Array:
    """(measures,) distances of two data (or Compared) whose steps began at one time, with these velocities.

    The energy is nan if it is not computed.
    """
    apart = theirs.xpos - ours.xpos
    turned = np.minimum(_squares(theirs.xquat - ours.xquat), _squares(theirs.xquat + ours.xquat))  # q and -q are one
    return np.array(
        [
            np.sqrt(_squares(apart).max()),
            4.0 * np.arcsin(min(1.0, 0.5 * np.sqrt(turned.max()))),
            np.abs(their_qvel - our_qvel).max(initial=0.0),
            np.abs(theirs.qfrc_constraint - ours.qfrc_constraint).max(initial=0.0),
            abs(theirs.energy.sum() - ours.energy.sum()) if ours.energy.any() or theirs.energy.any() else np.nan,
        ]
    )


def _squares(rows: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->i", rows, rows))


class Track:
    """Errors of one fork on their way to the window: none may be lost with a snapshot."""

    def __init__(self) -> None:
        self._rows: list[tuple[float, int, Array]] = []
        self._chunks: deque[list[tuple[float, int, Array]]] = deque(maxlen=WAITING)

    def append(self, time: float, run: int, error: Array) -> None:
        """A sample, in the simulation thread: time [s], which run of the fork it belongs to, (measures,)."""
        self._rows.append((time, run, error))

    def collect(self) -> None:
        """Deliver new samples, in the simulation thread."""
        if self._rows:
            self._chunks.append(self._rows)
            self._rows = []

    def take(self) -> tuple[Array, NDArray[np.int64], Array]:
        """The values since the last call: time (n,) [s], run (n,), errors (n, measures); in the window's thread."""
        rows = []
        while self._chunks:
            rows.extend(self._chunks.popleft())
        values = np.array([error for _, _, error in rows]).reshape(-1, len(MEASURES))
        return np.array([time for time, _, _ in rows]), np.array([run for _, run, _ in rows], np.int64), values


class Moment(Struct, frozen=True):
    """A fork in a snapshot.

    error, peak: (measures,) when it was last compared, and the largest since it began, nan before; steps: taken so far;
    seconds: wall time of one of them; stopped: why it runs no more; geom_xpos, geom_xmat,
    flexvert_xpos: (ngeom, 3), (ngeom, 9), (nflexvert, 3).
    """

    key: int
    error: Array
    peak: Array
    steps: int
    seconds: float
    stopped: str
    geom_xpos: Array
    geom_xmat: Array
    flexvert_xpos: Array

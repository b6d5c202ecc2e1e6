"""Figures that panels draw over the view: points, lines and areas in world coordinates, never occluded."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

if TYPE_CHECKING:
    from tumble.app.session.session import Session


class Stroke(Enum):
    """Kinds of figures: dots, a line through points, an area with its outline."""

    DOTS = auto()
    LINE = auto()
    AREA = auto()


class Figure(Struct, frozen=True, eq=False):
    """points (n, 3) of the world [m]; ink: a colour of the theme, or #rrggbb; size: radius of dots, width of lines [px]."""

    points: NDArray[np.float64]
    stroke: Stroke
    ink: str
    size: float = 1.6


class Drawing(QObject):
    """Current figures; changed: emitted when they change."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.figures: tuple[Figure, ...] = ()
        session.model_loaded.connect(self.clear)

    def show(self, figures: Sequence[Figure]) -> None:
        """Draw these in place of those before."""
        if figures or self.figures:
            self.figures = tuple(figures)
            self.changed.emit()

    def clear(self) -> None:
        """Draw none."""
        self.show(())

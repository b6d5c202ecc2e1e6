"""The measure: a distance between two points of surfaces, or the shortest between two bodies, which follows them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QGuiApplication, QPainter, QPen

from tumble import physics
from tumble.app.describe.names import body_name
from tumble.app.describe.numbers import MINUS
from tumble.app.handles.gizmo import HELD
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.commands import WatchProbe
from tumble.app.viewport.plates import paint_lines
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.app.viewport.widget import Viewport
from tumble.render.picking.pick import Hit

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Vector = NDArray[np.float64]


class Picked(Struct, frozen=True):
    """A picked point: body, geom, and position in the body's frame (3,) [m]."""

    body: int
    geom: int
    local: Vector


class MeasureTool(ViewTool):
    """The measure of one view. bodies: shortest between the bodies that are clicked (with Shift: the geoms), not the points."""

    recorded = True

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session = viewport, session
        self.active = self.bodies = False
        self._picked: list[Picked] = []
        self._probe: GapProbe | None = None
        self._plate = QRectF()
        self.leave: Callable[[], None] = self.clear  # called when the mode ends
        session.model_loaded.connect(self.clear)

    def set_mode(self, active: bool, bodies: bool) -> None:
        """Measure points or bodies, or no longer."""
        self.clear()
        self.active, self.bodies = active, bodies

    def clear(self) -> None:
        """Clear the clicked points."""
        self._picked = []
        if self._probe is not None:
            self._session.send(WatchProbe(self._probe, False))
            self._probe = None

    def cursor(self) -> Qt.CursorShape:
        """A cross: points are picked."""
        return Qt.CursorShape.CrossCursor

    def cancel(self) -> bool:
        """Clear the clicked points; without any, stop measuring."""
        had = bool(self._picked)
        self.clear()
        if not had:
            self.leave()
        return True

    def click(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Pick a point, or copy the value that is clicked."""
        if self._plate.contains(mouse.where):
            self.copy()
            return True
        hit = self._viewport.looking.pick(mouse.where)
        if hit is not None:
            self._pick(hit, alone=bool(mouse.modifiers & Qt.KeyboardModifier.ShiftModifier))
        return hit is not None

    def _pick(self, hit: Hit, *, alone: bool) -> None:
        if len(self._picked) == 2:
            self.clear()
        geom = hit.geom if alone or not self.bodies or hit.body == 0 else -1
        self._picked.append(Picked(hit.body, geom, np.array(hit.localpos, float)))
        if self.bodies and len(self._picked) == 2:
            model = self._session.loaded_model
            sides = [np.array([p.geom]) if p.geom >= 0 else geoms_of(model, p.body) for p in self._picked]
            self._probe = GapProbe(*sides)
            self._session.send(WatchProbe(self._probe, True))
        self._viewport.update()

    def ends(self) -> Vector | None:
        """The two points that are measured (2, 3) [m]; None: they are not both known."""
        session = self._session
        if len(self._picked) < 2 or session.snapshot is None:
            return None
        if self._probe is not None:
            reading = session.reading(self._probe)
            return None if reading is None or np.isnan(reading[0]) else reading[1:].reshape(2, 3).copy()
        return None if self.bodies else np.array([self._point(picked) for picked in self._picked])

    def distance(self) -> float | None:
        """The distance [m], negative where two bodies overlap; None: it is not known."""
        ends = self.ends()
        if ends is None:
            return None
        reading = None if self._probe is None else self._session.reading(self._probe)
        return float(np.linalg.norm(ends[1] - ends[0])) if reading is None else float(reading[0])

    def copy(self) -> None:
        """Put the distance and its components on the clipboard, at full precision."""
        ends, distance, clipboard = self.ends(), self.distance(), QGuiApplication.clipboard()
        if ends is None or distance is None or clipboard is None:
            self._session.status.emit("Nothing is measured yet")
            return
        x, y, z = (float(v) for v in ends[1] - ends[0])
        clipboard.setText(f"{distance:.9g} m (dx {x:.9g}, dy {y:.9g}, dz {z:.9g})")
        self._session.status.emit(f"Copied the distance: {length_text(distance)}")

    def _point(self, picked: Picked) -> Vector:
        snapshot = self._session.snapshot
        assert snapshot is not None
        axes = np.asarray(snapshot.xmat[picked.body], float).reshape(3, 3)
        return np.asarray(snapshot.xpos[picked.body] + axes @ picked.local)

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw the line with its length, or the prompt."""
        if canvas.active:
            self._plate = QRectF()
        ends = self.ends()
        if ends is None:
            if canvas.active:
                self._paint_hint(painter, canvas)
            if self._picked and not self.bodies:
                self._dots(painter, canvas, self._point(self._picked[0])[None])
            return
        self._dots(painter, canvas, ends)

    def _dots(self, painter: QPainter, canvas: Canvas, ends: Vector) -> None:
        seen = canvas.view.project(ends, canvas.width, canvas.height)
        if (seen[:, 2] <= 0).any():
            return
        points = [QPointF(float(x), float(y)) for x, y, _ in seen]
        if len(points) == 2:
            for ink, width in ((theme.colour("back", 200), 4.6), (theme.colour(HELD), 2.2)):
                painter.setPen(QPen(ink, width, cap=Qt.PenCapStyle.RoundCap))
                painter.drawLine(*points)
        painter.setPen(QPen(theme.colour("back", 220), 1.6))
        painter.setBrush(theme.colour(HELD))
        for point in points:
            painter.drawEllipse(point, 4.6, 4.6)
        if len(points) == 2:
            middle = (points[0] + points[1]) / 2
            along = points[1] - points[0]
            above = along.x() * along.y() > 0  # so that it does not cover the line
            plate = paint_lines(painter, middle, self._lines(ends), (canvas.width, canvas.height), above=above)
            self._plate = plate if canvas.active else self._plate

    def _lines(self, ends: Vector) -> list[str]:
        distance = self.distance() or 0.0
        shown = f"{length_text(abs(distance))} deep" if distance < 0 else length_text(distance)
        x, y, z = (length_text(float(v), signed=True, like=distance) for v in ends[1] - ends[0])
        return [shown, f"dx {x}", f"dy {y}", f"dz {z}"]

    def _paint_hint(self, painter: QPainter, canvas: Canvas) -> None:
        """Show the prompt for the next click, at the lower edge."""
        what = "body (Shift: geom)" if self.bodies else "point"
        text = f"Measure: click the {'second' if self._picked else 'first'} {what}"
        if self._picked and self.bodies:
            text += f", from {body_name(self._session.loaded_model, self._picked[0].body)}"
        if len(self._picked) == 2:
            text = "Measuring…"
        wide = QFontMetricsF(theme.mono(9.5)).horizontalAdvance(text) + 16
        paint_lines(painter, QPointF((canvas.width - wide) / 2 - 16, canvas.height - 92.0), [text], (canvas.width, canvas.height))


def length_text(value: float, *, signed: bool = False, like: float | None = None) -> str:
    """A length [m]: in millimetres below a metre; like: in the unit that this length has."""
    sign = "+" if signed else ""
    size = abs(value if like is None else like)
    text = f"{value:{sign}.4f} m" if size >= 1.0 else f"{1e3 * value:{sign}.{2 if size < 0.1 else 1}f} mm"
    return text.replace("-", MINUS)


def angle_text(value: float) -> str:
    """An angle [rad] in degrees."""
    return f"{math.degrees(value):+.1f}\N{DEGREE SIGN}".replace("-", MINUS)


class GapProbe:
    """Nearest points of two sets of geoms. Its reading: (7,) distance [m], negative in overlap, and the two points [m].

    Pairs whose bounding spheres are farther apart than the best pair found so far are omitted.
    """

    def __init__(self, first: NDArray[np.intp], second: NDArray[np.intp]) -> None:
        self._pairs = np.array([(a, b) for a in first for b in second], int).reshape(-1, 2)

    def room(self, model: MjModel, data: MjData) -> NDArray[np.float64]:
        """Storage of one snapshot."""
        return np.full(7, np.nan)

    def take(self, model: MjModel, data: MjData, into: NDArray[np.float64]) -> None:
        """Measure."""
        into[:] = np.nan
        if not len(self._pairs):
            return
        a, b = self._pairs.T
        radii = np.where(model.geom_rbound > 0, model.geom_rbound, np.inf)
        least = np.linalg.norm(data.geom_xpos[a] - data.geom_xpos[b], axis=1) - radii[a] - radii[b]
        best, ends = np.inf, np.zeros(6)
        for k in np.argsort(least):
            if least[k] >= best:
                break
            gap = physics.mj_geomDistance(model, data, int(a[k]), int(b[k]), min(best, 1e3 * float(model.stat.extent)), ends)
            if gap < best and ends.any():
                best = gap
                into[0], into[1:] = gap, ends


def geoms_of(model: MjModel, body: int) -> NDArray[np.intp]:
    """The geoms of a body that a distance can be measured to: those that collide, or all where none does."""
    own = np.flatnonzero(model.geom_bodyid == body)
    colliding = own[(model.geom_contype[own] | model.geom_conaffinity[own]) != 0]
    return colliding if len(colliding) else own

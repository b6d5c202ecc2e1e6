"""Handles of a geom, site or camera, dragged while the simulation runs; a brush for height fields."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from PyQt6.QtCore import QPointF, Qt, QTimer
from PyQt6.QtGui import QPainter, QPen, QPolygonF

from tumble.app.base import settings
from tumble.app.editing.edits import Values
from tumble.app.editing.shapes.heights import Brush, BrushMode, Grid, height_at, meeting
from tumble.app.editing.shapes.shaping import LEAST, SIZES, BodyPose, ShapeElement, Shaping, rotation
from tumble.app.handles.gizmo import CLOSE, Handle, HandleDrag, HandleKind, Handles, Vector, paint_handles, paint_track, snapped
from tumble.app.handles.measure_tool import angle_text, length_text
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.viewport.axes import AXIS_INKS
from tumble.app.viewport.plates import paint_lines
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.app.viewport.widget import Viewport
from tumble.physics.state.enums import mjtGeom, mjtObj

PULSE = 40  # time between two dabs of a brush that is held [ms]
_PICKED = {int(mjtObj.mjOBJ_GEOM): "geom", int(mjtObj.mjOBJ_SITE): "site"}
_CAPSULE, _HFIELD = int(mjtGeom.mjGEOM_CAPSULE), int(mjtGeom.mjGEOM_HFIELD)
_KNOB = 5.0  # half the side of a handle of a size [px]
_RIM = 49  # points of the brush's rim
_DEPTH = 0.25  # of the frustum of a camera, in extents of the model


class Knob(Struct, frozen=True):
    """Handle of a size: axis and number of the size, the side of the centre (1 or -1), and its place (3,) in the element [m]."""

    axis: int
    number: int
    side: float
    place: tuple[float, float, float]


class HeldShape(Struct, frozen=True, eq=False):
    """A drag. knob: of a size, None: of the pose; size: at its begin; frame: rotation of the body then (3, 3)."""

    drag: HandleDrag
    knob: Knob | None
    size: Values
    pos: Values
    frame: Vector
    body_quat: Vector


def knobs(kind: int, size: Values) -> list[Knob]:
    """Handles of the sizes of a type of geom; none of a plane without end, or of a mesh."""
    found = []
    for axis, number in SIZES[kind][0] if kind in SIZES and size else ():
        reach = size[number] + (size[0] if kind == _CAPSULE and axis == 2 else 0.0)
        one_sided = kind == _HFIELD and axis == 2
        for side in (1.0,) if one_sided else (1.0, -1.0):
            place = [0.0, 0.0, 0.0]
            place[axis] = side * reach
            if reach > 0:
                found.append(Knob(axis, number, side, (place[0], place[1], place[2])))
    return found


class ShapeTool(ViewTool):
    """The handles in one view. world: along the world's axes; brush: on a height field, None: handles."""

    hovers = True

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session, self._shaping = viewport, session, session.part(Shaping)
        self.active = self.world = False
        self.handles = True  # whether they are shown
        self.brush: Brush | None = None
        self._lit: Handle | Knob | None = None
        self._held: HeldShape | None = None
        self._amount = self._shown = np.zeros(1)
        self._mouse = QPointF()
        self._canvas: Canvas | None = None
        self._brushed: tuple[float, float] | None = None  # where the brush is, in the field's frame
        self._brushing = False
        self._pulse = QTimer(viewport)
        self._pulse.setInterval(PULSE)
        self._pulse.timeout.connect(self._dab)
        session.model_loaded.connect(self._drop)
        self._shaping.chosen_changed.connect(self._drop)
        self._shaping.edited.connect(viewport.update)

    def _drop(self) -> None:
        self._held = self._lit = self._brushed = None
        self._brushing = False
        self._pulse.stop()
        self._viewport.update()

    # ---- the mouse

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Start a drag of a handle, or put the brush down."""
        if mouse.button != Qt.MouseButton.LeftButton or self._shaping.chosen is None:
            return False
        self._mouse, self._canvas = mouse.where, canvas
        if self.brush is not None and not self._shaping.brush_problem():
            return self._put_down()
        handles, body = self._handles(canvas), self._shaping.body_pose()
        self._lit = None if handles is None else self._pick(handles, mouse.where)
        if handles is None or body is None or self._lit is None:
            return False
        pos, quat = self._world()
        local, _ = self._shaping.local_pose()
        start = np.array([mouse.where.x(), mouse.where.y()])
        knob = self._lit if isinstance(self._lit, Knob) else None
        if knob is not None:
            axes = rotation(quat)
            handles = Handles(pos, axes, handles.scale, canvas)
        handle = Handle(HandleKind.MOVE, knob.axis) if knob is not None else self._lit
        assert isinstance(handle, Handle)
        frame = rotation(body.quat)
        self._held = HeldShape(HandleDrag(handles, handle, pos, quat, start), knob, self._shaping.size(), local, frame, body.quat)
        self._amount = self._shown = np.zeros(2 if handle.kind is HandleKind.SLIDE else 1)
        self._shaping.begin()
        return True

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Change the element as far as the mouse has gone."""
        self._mouse, self._canvas = mouse.where, canvas
        held = self._held
        if self._brushing:
            self._brushed = self._under(canvas, mouse.where)
        if held is None:
            return
        self._amount = held.drag.amount(mouse.where.x(), mouse.where.y(), float(self._amount[0]))
        snaps = bool(mouse.modifiers & Qt.KeyboardModifier.ControlModifier)
        self._shown = snapped(self._amount, self._step(held)) if snaps else self._amount
        if held.knob is not None:
            size = [*held.size]
            size[held.knob.number] = _round(max(LEAST, size[held.knob.number] + held.knob.side * float(self._shown[0])))
            self._shaping.resize(tuple(size))
            return
        pos, quat = held.drag.pose(self._shown)
        moved = held.frame.T @ (pos - held.drag.pos)  # in the body, which may have moved since
        place = tuple(round(float(a + b), 6) + 0.0 for a, b in zip(held.pos, moved, strict=True))
        if held.drag.handle.kind is HandleKind.TURN:
            self._shaping.move(held.pos, self._turned(held, quat))
        else:
            self._shaping.move(place, self._shaping.local_pose()[1])

    def _turned(self, held: HeldShape, quat: Vector) -> Values:
        """An orientation of the world in the body, as that was when the drag began."""
        return BodyPose(np.zeros(3), held.body_quat).local(np.zeros(3), quat)[1]

    def _step(self, held: HeldShape) -> float:
        store = self._session.store
        turns = held.drag.handle.kind is HandleKind.TURN
        return math.radians(store.get(settings.SNAP_ANGLE)) if turns else store.get(settings.SNAP_LENGTH)

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """The drag is one step of undo."""
        if self._held is not None or self._brushing:
            self._held, self._brushing = None, False
            self._pulse.stop()
            self._shaping.end()

    def cancel(self) -> bool:
        """The element is as before."""
        busy = self._held is not None or self._brushing
        if busy:
            self._held, self._brushing = None, False
            self._pulse.stop()
            self._shaping.cancel()
        return busy

    def click(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Choose the geom or site under the mouse."""
        if self.brush is not None:
            return False
        hit = self._viewport.looking.pick(mouse.where, tuple(_PICKED), reach=2)
        prefix = None if hit is None else _PICKED.get(hit.objtype)
        if hit is None or prefix is None:
            return False
        self._session.select(max(hit.body, 0))
        self._shaping.choose(ShapeElement(prefix, hit.objid))
        return True

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Light up the handle under the mouse, or show the brush there."""
        before = self._lit, self._brushed
        self._lit = self._brushed = None
        if self.brush is not None and not self._shaping.brush_problem():
            self._brushed = self._under(canvas, mouse.where)
        elif (handles := self._handles(canvas)) is not None:
            self._lit = self._pick(handles, mouse.where)
        if before != (self._lit, self._brushed):
            self._viewport.update()
        return self._lit is not None

    def leave_view(self) -> None:
        """The mouse has left the view."""
        if self._held is None and not self._brushing and (self._lit is not None or self._brushed is not None):
            self._lit = self._brushed = None
            self._viewport.update()

    def _pick(self, handles: Handles, where: QPointF) -> Handle | Knob | None:
        x, y = where.x(), where.y()
        places = self._knob_places(handles)
        away = [math.hypot(px - x, py - y) for _, (px, py) in places]
        if away and min(away) <= CLOSE + 2.0:
            return places[int(np.argmin(away))][0]
        return handles.pick(x, y)

    # ---- the brush

    def _put_down(self) -> bool:
        assert self._canvas is not None
        self._brushed = self._under(self._canvas, self._mouse)
        if self._brushed is None:
            return False
        self._brushing = True
        self._viewport.hover.leave_view()  # its words would be in the way
        self._shaping.begin()
        self._dab()
        self._pulse.start()
        return True

    def _dab(self) -> None:
        if self._brushing and self.brush is not None and self._brushed is not None:
            self._shaping.dab(self._brushed, self.brush, 1e-3 * PULSE)
            self._viewport.update()

    def _field(self) -> tuple[Grid, Values]:
        """Heights [m] and size of the chosen field, as the model has them."""
        model, chosen = self._session.loaded_model, self._shaping.chosen
        assert chosen is not None
        field = chosen.hfield(model)
        adr, rows, columns = int(model.hfield_adr[field]), int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
        size = tuple(float(v) for v in model.hfield_size[field])
        return np.asarray(model.hfield_data[adr : adr + rows * columns], float).reshape(rows, columns) * size[2], size

    def _under(self, canvas: Canvas, where: QPointF) -> tuple[float, float] | None:
        """The place of the chosen height field under the mouse, in its frame."""
        pos, quat = self._world()
        axes = rotation(quat)
        eye, way = canvas.view.ray(where.x(), where.y(), canvas.width, canvas.height)
        heights, (a, b, c, d) = self._field()
        return meeting(heights, (a, b, c, d), axes.T @ (eye - pos), axes.T @ way)

    # ---- painting

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw handles, the frustum of a camera, the rim of the brush, and the amount while one is held."""
        chosen, model = self._shaping.chosen, self._session.model
        if chosen is None or model is None or self._shaping.body_pose() is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen.prefix == "cam":
            self._paint_frustum(painter, canvas)
        if self.brush is not None and not self._shaping.brush_problem():
            self._paint_rim(painter, canvas)
            return
        handles, held = self._handles(canvas), self._held
        if handles is None:
            return
        if held is not None and held.knob is None:
            handles = Handles.at(handles.origin, held.drag.handles.axes, canvas) or handles
            paint_track(painter, handles, held.drag.track(float(self._shown[0])))
        if held is None or held.knob is None:
            lit = held.drag.handle if held is not None else self._lit
            paint_handles(painter, handles, lit if isinstance(lit, Handle) else None, held=held is not None)
        for knob, (x, y) in self._knob_places(handles):
            if held is None or held.knob == knob or (held.knob is not None and _same_knob(held.knob, knob)):
                is_lit = knob == self._lit or (held is not None and held.knob is not None and _same_knob(held.knob, knob))
                ink = theme.colour("held" if is_lit else AXIS_INKS[knob.axis])
                half = _KNOB + (1.5 if is_lit else 0.0)
                painter.setPen(QPen(theme.colour("back", 200), 1.4))
                painter.setBrush(ink)
                painter.drawRect(int(x - half), int(y - half), int(2 * half), int(2 * half))
        if held is not None and canvas.active:
            paint_lines(painter, self._mouse, self._words(held), (canvas.width, canvas.height))

    def _words(self, held: HeldShape) -> list[str]:
        kind = self._shaping.chosen.kind(self._session.loaded_model) if self._shaping.chosen is not None else -1
        if held.knob is not None:
            now = self._shaping.size()[held.knob.number]
            return [f"{SIZES[kind][1][held.knob.number]} {length_text(now)}"]
        handle, name = held.drag.handle, "xyz"
        if handle.kind is HandleKind.TURN:
            return [f"{name[handle.axis]} {angle_text(float(self._shown[0]))}"]
        axes = [handle.axis] if handle.kind is HandleKind.MOVE else [(handle.axis + 1) % 3, (handle.axis + 2) % 3]
        return [f"{name[a]} {length_text(float(v), signed=True)}" for a, v in zip(axes, self._shown, strict=True)]

    def _paint_rim(self, painter: QPainter, canvas: Canvas) -> None:
        if self._brushed is None or self.brush is None:
            return
        pos, quat = self._world()
        heights, (a, b, c, d) = self._field()
        angle = np.linspace(0.0, 2.0 * np.pi, _RIM)
        x, y = self._brushed[0] + self.brush.radius * np.cos(angle), self._brushed[1] + self.brush.radius * np.sin(angle)
        inside = np.stack([x, y, height_at(heights, (a, b, c, d), x, y)], axis=1)
        seen = canvas.view.project(pos + inside @ rotation(quat).T, canvas.width, canvas.height)
        if not np.isfinite(seen).all() or (seen[:, 2] <= 0).any():
            return
        ink = {BrushMode.RAISE: "good", BrushMode.LOWER: "bad", BrushMode.SMOOTH: "held"}[self.brush.mode]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((theme.colour("back", 160), 4.0), (theme.colour(ink), 2.0)):
            painter.setPen(QPen(colour, width))
            painter.drawPolyline(QPolygonF([QPointF(*point) for point in seen[:, :2]]))

    def _paint_frustum(self, painter: QPainter, canvas: Canvas) -> None:
        """Edges of what a camera sees, to a fixed depth."""
        model, chosen = self._session.loaded_model, self._shaping.chosen
        assert chosen is not None
        pos, quat = self._world()
        depth = _DEPTH * float(model.stat.extent)
        columns, rows = (int(v) for v in model.cam_resolution[chosen.index])
        up = depth * math.tan(0.5 * math.radians(float(model.cam_fovy[chosen.index])))
        side = up * (columns / rows if columns > 1 and rows > 1 else 4.0 / 3.0)
        corners = np.array([(-side, -up, -depth), (side, -up, -depth), (side, up, -depth), (-side, up, -depth)])
        points = np.vstack([pos, pos + corners @ rotation(quat).T])
        seen = canvas.view.project(points, canvas.width, canvas.height)
        if not np.isfinite(seen).all() or (seen[:, 2] <= 0).any():
            return
        at = [QPointF(*point) for point in seen[:, :2]]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((theme.colour("back", 160), 3.6), (theme.colour("held"), 1.6)):
            painter.setPen(QPen(colour, width))
            painter.drawPolygon(QPolygonF(at[1:]))
            for corner in at[1:]:
                painter.drawLine(at[0], corner)

    # ---- where things are

    def _world(self) -> tuple[Vector, Vector]:
        body = self._shaping.body_pose()
        assert body is not None
        return body.world(*self._shaping.local_pose())

    def _handles(self, canvas: Canvas) -> Handles | None:
        """The handles of the chosen element; None where it has none, or they are off."""
        chosen, model = self._shaping.chosen, self._session.model
        if not self.handles or chosen is None or model is None or chosen.fixed_why(model) or self._shaping.body_pose() is None:
            return None
        pos, quat = self._world()
        return Handles.at(pos, np.eye(3) if self.world else rotation(quat), canvas)

    def _knob_places(self, handles: Handles) -> list[tuple[Knob, Vector]]:
        chosen, model = self._shaping.chosen, self._session.model
        if chosen is None or model is None:
            return []
        found = knobs(chosen.kind(model), self._shaping.size())
        if not found:
            return []
        pos, quat = self._world()
        points = pos + np.array([knob.place for knob in found]) @ rotation(quat).T
        view, canvas = handles.canvas.view, handles.canvas
        seen = view.project(points, canvas.width, canvas.height)
        return [(k, p[:2]) for k, p in zip(found, seen, strict=True) if np.isfinite(p).all() and p[2] > 0]


def _same_knob(first: Knob, second: Knob) -> bool:
    """True if two handles are of the same side of the same axis, wherever they are by now."""
    return (first.axis, first.side) == (second.axis, second.side)


def _round(value: float) -> float:
    """A length in six digits."""
    return float(f"{value:.6g}")

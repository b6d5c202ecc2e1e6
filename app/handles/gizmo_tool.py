"""Handles on the selected body, free or mocap: a drag of one moves or turns it, paused or running."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QPainter
from PyQt6.QtWidgets import QDoubleSpinBox, QWidget

from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.describe.names import body_name
from tumble.app.editing.poses import Poses
from tumble.app.handles.gizmo import Handle, HandleDrag, HandleKind, Handles, Vector, paint_handles, paint_track, snapped
from tumble.app.handles.measure_tool import angle_text, length_text
from tumble.app.session.session import Session
from tumble.app.simulation.perturbation import Grip, GripMode
from tumble.app.viewport.plates import paint_lines
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.form import FormDialog

if TYPE_CHECKING:
    from tumble.physics import MjModel

def carrier(model: MjModel, body: int) -> int:
    """The body that handles on `body` move: itself or the mocap or free body that it is welded to; 0 without one."""
    while body > 0 and model.body_mocapid[body] < 0 and model.body_jntnum[body] == 0:
        body = int(model.body_parentid[body])
    if body <= 0 or model.body_mocapid[body] >= 0:
        return max(body, 0)
    free = model.body_jntnum[body] == 1 and model.jnt_type[model.body_jntadr[body]] == 0
    return body if free else 0


class GizmoTool(ViewTool):
    """The handles of one view. local: along the body's axes, not the world's; snap: in steps, as with Ctrl."""

    hovers = True

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session, self._poses = viewport, session, session.part(Poses)
        self.active = self.local = self.snap = False
        self._waits = False  # whether the body is to be held at the first motion
        self._lit: Handle | None = None
        self._drag: HandleDrag | None = None
        self._body = 0
        self._amount, self._shown = np.zeros(1), np.zeros(1)
        self._mouse = QPointF()
        session.model_loaded.connect(self._drop)

    def _drop(self) -> None:
        """Release the body: another model runs."""
        self._drag = self._lit = None
        self._body = 0

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Start a drag on a handle."""
        handles = self._handles(canvas)
        if handles is None or mouse.button != Qt.MouseButton.LeftButton:
            return False
        x, y = mouse.where.x(), mouse.where.y()
        self._lit = handles.pick(x, y)
        if self._lit is None:
            return False
        pos, quat = self._pose()
        self._drag = HandleDrag(handles, self._lit, pos, quat, np.array([x, y]))
        self._amount = self._shown = np.zeros(2 if self._lit.kind is HandleKind.SLIDE else 1)
        self._mouse = mouse.where
        self._waits = self._session.paused  # for the first motion: a click moves nothing
        if not self._waits:
            self._hold(pos, quat, begins=True)
        return True

    def _hold(self, pos: Vector, quat: Vector, *, begins: bool = False) -> None:
        """Hold the body there; begins: an undoable drag."""
        if begins:
            self._poses.begin(self._body)
        self._session.hold(Grip(self._body, GripMode.PLACE, np.zeros(3), pos, quat))

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Move the body along."""
        if self._drag is None or (self._session.grip is None and not self._waits):
            return
        self._mouse = mouse.where
        self._amount = self._drag.amount(mouse.where.x(), mouse.where.y(), float(self._amount[0]))
        snaps = self.snap != bool(mouse.modifiers & Qt.KeyboardModifier.ControlModifier)
        self._shown = snapped(self._amount, self._step()) if snaps else self._amount
        begins, self._waits = self._waits, False
        self._hold(*self._drag.pose(self._shown), begins=begins)

    def _step(self) -> float:
        store = self._session.store
        if self._drag is not None and self._drag.handle.kind is HandleKind.TURN:
            return math.radians(store.get(settings.SNAP_ANGLE))
        return store.get(settings.SNAP_LENGTH)

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Release the body at its place."""
        if self._drag is not None:
            turned = self._drag.handle.kind is HandleKind.TURN
            self._drag = None
            self._session.release()
            if not self._waits:
                self._poses.end(f"{'Turn' if turned else 'Move'} {body_name(self._session.loaded_model, self._body)}")

    def cancel(self) -> bool:
        """Move the body back and release it."""
        held, self._drag = self._drag is not None, None
        if held and not self._waits:
            self._session.release()
            self._poses.cancel()
        return held

    def hover(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Light up the handle under the mouse."""
        handles, before = self._handles(canvas), self._lit
        self._lit = None if handles is None else handles.pick(mouse.where.x(), mouse.where.y())
        if self._lit != before:
            self._viewport.update()
        return self._lit is not None

    def leave_view(self) -> None:
        """The mouse has left the view."""
        if self._drag is None and self._lit is not None:
            self._lit = None
            self._viewport.update()

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw the handles, and the amount while one is held."""
        handles, drag = self._handles(canvas), self._drag
        if handles is None:
            return
        if drag is not None:
            axes = drag.handles.axes
            handles = Handles.at(handles.origin, axes, canvas) or handles
            paint_track(painter, handles, drag.track(float(self._shown[0])))
        paint_handles(painter, handles, self._lit, held=drag is not None)
        if drag is not None and canvas.active:
            paint_lines(painter, self._mouse, self._words(drag.handle), (canvas.width, canvas.height))

    def _words(self, handle: Handle) -> list[str]:
        """The amount of the drag."""
        name = "xyz"
        if handle.kind is HandleKind.TURN:
            return [f"{name[handle.axis]} {angle_text(float(self._shown[0]))}"]
        axes = [handle.axis] if handle.kind is HandleKind.MOVE else [(handle.axis + 1) % 3, (handle.axis + 2) % 3]
        return [f"{name[a]} {length_text(float(v), signed=True)}" for a, v in zip(axes, self._shown, strict=True)]

    def _handles(self, canvas: Canvas) -> Handles | None:
        """The handles of the selected body; None where it has none."""
        session = self._session
        if session.model is None or session.snapshot is None or session.selection <= 0:
            return None
        if self._drag is None:
            self._body = carrier(session.model, session.selection)
        if self._body <= 0:
            return None
        axes = np.eye(3)
        if self.local:
            axes = np.array(session.snapshot.xmat[self._body], float).reshape(3, 3)
        return Handles.at(self._pose()[0], axes, canvas)

    def _pose(self) -> tuple[Vector, Vector]:
        snapshot = self._session.snapshot
        assert snapshot is not None
        return np.array(snapshot.xpos[self._body], float), np.array(snapshot.xquat[self._body], float)


class SnapDialog(FormDialog):
    """A length and an angle."""

    def __init__(self, store: Settings, parent: QWidget) -> None:
        super().__init__("Snap steps", "OK", parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._store = store
        self.length = self._add("Move by", " mm", 1e3 * store.get(settings.SNAP_LENGTH), 0.01, 1e5, "Step of a move")
        self.angle = self._add("Turn by", "\N{DEGREE SIGN}", store.get(settings.SNAP_ANGLE), 0.1, 180.0, "Step of a turn")
        self.wanted.connect(self._save)

    def _add(self, caption: str, suffix: str, value: float, least: float, most: float, name: str) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setRange(least, most)
        box.setSuffix(suffix)
        box.setValue(value)
        box.setAccessibleName(name)
        self.form.addRow(caption, box)
        return box

    def _save(self) -> None:
        """Apply the steps."""
        self._store.put(settings.SNAP_LENGTH, 1e-3 * self.length.value())
        self._store.put(settings.SNAP_ANGLE, self.angle.value())
        self.accept()

"""The drag of the selected body: a pull while running, a move or a bent limb while paused."""

from __future__ import annotations

from PyQt6.QtCore import QPointF, Qt

from tumble.app.describe.names import body_name
from tumble.app.editing.poses import Poses
from tumble.app.session.session import Session
from tumble.app.simulation.perturbation import soft_mass
from tumble.app.viewport.choosing import Chooser
from tumble.app.viewport.gestures import BODY_DRAGS, Drag, drag_grip, drag_of, grip_at
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool


class BodyDragTool(ViewTool):
    """Ctrl and a drag hold the selected body, or the one under the mouse."""

    def __init__(self, viewport: ViewSurface, session: Session, chooser: Chooser) -> None:
        self._viewport, self._session, self._chooser, self._poses = viewport, session, chooser, session.part(Poses)
        self._drag, self._last = Drag.NOTHING, QPointF()
        self._soft = 0.0
        self._waits = self._poses_begun = False  # body is to be held at the first motion; undo knows of the drag

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Hold the body at the point that was selected; where time stands, once the mouse moves: a click moves nothing.

        The displayed state may then be slightly older than the paused one.
        """
        session = self._session
        if mouse.modifiers & Qt.KeyboardModifier.ControlModifier and session.selection <= 0:
            self._chooser.select_at(mouse.where)  # saves the double click
        drag = drag_of(mouse.button, mouse.modifiers, session.selection > 0)
        if drag not in BODY_DRAGS or session.snapshot is None:
            return False
        soft = soft_mass(session.loaded_model, session.selection)
        if soft > 0 and drag is Drag.TURN_BODY and not session.loaded_model.body_invweight0[session.selection, 1] > 0:
            drag = Drag.MOVE_BODY_VERTICAL  # a vertex has nothing to turn
        self._drag, self._last, self._soft = drag, mouse.where, soft
        self._waits, self._poses_begun = session.paused, False
        if not session.paused:
            self._hold()
        return True

    def _hold(self) -> None:
        session = self._session
        if session.snapshot is not None:
            session.hold(grip_at(session.snapshot, session.selection, self._viewport.local_point, self._drag, self._soft))

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Move the target with the mouse."""
        moved = (mouse.where - self._last) / max(canvas.height, 1)
        self._last = mouse.where
        if self._waits:
            self._waits, self._poses_begun = False, self._session.paused
            if self._poses_begun:
                self._poses.begin(self._session.selection)
            self._hold()
        if self._session.grip is not None:
            self._session.hold(drag_grip(self._session.grip, canvas.view, self._drag, moved.x(), moved.y()))

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Release the body."""
        self._drag, self._waits = Drag.NOTHING, False
        self._session.release()
        if self._poses_begun and self._session.paused:
            self._poses.end(f"Move {body_name(self._session.loaded_model, self._session.selection)}")

    def cancel(self) -> bool:
        """Release the body; while paused, move it back."""
        held = self._drag is not Drag.NOTHING
        self._drag, self._waits = Drag.NOTHING, False
        if held:
            self._session.release()
            if self._poses_begun and self._session.paused:
                self._poses.cancel()
        return held

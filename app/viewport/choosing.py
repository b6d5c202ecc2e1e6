"""Choosing in the view, by double click or box, and dragging the chosen body: a pull, a move or a bent limb."""

from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QObject, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtGui import QPainter, QPen

from tumble.app.describe.names import body_name
from tumble.app.editing.poses import Poses
from tumble.app.look import theme
from tumble.app.session.contact_tracking import places
from tumble.app.session.requests import AskPair, EditTogether, Show
from tumble.app.session.session import Session
from tumble.app.simulation.perturbation import soft_mass
from tumble.app.viewport.gestures import BODY_DRAGS, Click, Drag, drag_grip, drag_of, grip_at, is_click, nearest_place
from tumble.app.viewport.looking import Looking
from tumble.app.viewport.surface import ViewSurface
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.physics.state.enums import mjtObj
from tumble.render.camera import look_at, track
from tumble.render.constants import CONTACT
from tumble.render.picking.pick import SURFACES

# Types by which a body is selected; tendons and equalities are looked through: they belong to several.
CHOSEN = (
    *SURFACES, int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_JOINT), int(mjtObj.mjOBJ_CAMERA),
    int(mjtObj.mjOBJ_LIGHT), int(mjtObj.mjOBJ_ACTUATOR),
)  # fmt: skip
REACH = 3  # pixels by which the mouse may miss a thin object
NAMED = 3  # bodies that the status line names


class Chooser:
    """Double clicks in one view."""

    def __init__(self, viewport: ViewSurface, session: Session, looking: Looking) -> None:
        self._viewport, self._session, self._looking, self._pair = viewport, session, looking, PairPicker(session)

    def double_click(self, where: QPointF, click: Click) -> None:
        """Perform the action of a double click at a point of the view."""
        view = self._viewport
        if click is Click.SELECT:
            self.select_at(where, contacts=True)
            return
        hit = self._looking.pick(where)
        if hit is None:
            return
        if click is Click.PAIR:
            self._pair.ask(hit.geom)
        elif click is Click.CENTRE:
            view.glide_to(look_at(view.camera, np.array(hit.point)))
        elif click is Click.TRACK and hit.body > 0:
            view.glide_to(track(view.camera, hit.body))

    def select_at(self, where: QPointF, *, contacts: bool = False) -> None:
        """Select the body at a point of the view, at that point of it.

        contacts: or choose a contact that is seen there, for the panels that show it.
        """
        session = self._session
        hit = self._looking.pick(where, (*CHOSEN, CONTACT) if contacts else CHOSEN, REACH)
        if hit is not None and hit.objtype == CONTACT:
            if not session.contact_choice.open:
                session.ask(Show("contacts"))
            choose_contact(session, hit.objid)
            return
        self._pair.note(-1 if hit is None else hit.geom)
        if hit is None or hit.body <= 0:
            session.select(0)
            return
        session.select(hit.body)
        self._viewport.local_point = np.array(hit.localpos)
        self._viewport.update()


class FoundBodies(QObject):
    """bodies: their ids, in order; none at most times."""

    changed = pyqtSignal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.bodies: tuple[int, ...] = ()
        session.model_loaded.connect(self.clear)
        session.selection_changed.connect(lambda body: self.clear())

    def show(self, bodies: tuple[int, ...]) -> None:
        """These are found."""
        if bodies != self.bodies:
            self.bodies = bodies
            self.changed.emit()

    def clear(self) -> None:
        """None are."""
        self.show(())


def choose_contact(session: Session, index: int) -> None:
    """Choose a contact of the present snapshot, if it has that many."""
    if session.snapshot is not None and 0 <= index < session.snapshot.ncon:
        session.contact_choice.choose(places(session.loaded_model, session.snapshot)[index], session.snapshot)


class ContactPickTool(ViewTool):
    """Works while points or forces are shown and a panel shows the choice."""

    def __init__(self, viewport: ViewSurface, session: Session, looking: Looking) -> None:
        self._viewport, self._session, self._looking = viewport, session, looking

    def click(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Choose the contact under the mouse, else the nearest one, whose point may be hidden by the geoms."""
        session, options = self._session, self._viewport.options
        shown = options.contact_point or options.contact_force
        if session.snapshot is None or not (shown and session.contact_choice.open):
            return False
        hit = self._looking.pick(mouse.where, (CONTACT,))
        if hit is not None:
            index = hit.objid
        else:
            seen = canvas.view.project(session.snapshot.contact("pos"), canvas.width, canvas.height)
            index = nearest_place(seen, mouse.where.x(), mouse.where.y())
        if index == session.contact_choice.index >= 0:
            session.contact_choice.clear()
        elif index >= 0:
            choose_contact(session, index)
        return index >= 0


class PairPicker:
    """Remembers the geom that was picked last, and opens the collision panel for it and the next."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._first = -1
        session.model_loaded.connect(lambda: self.note(-1))

    def note(self, geom: int) -> None:
        """A geom was picked alone: the first of the next two."""
        self._first = geom

    def ask(self, geom: int) -> None:
        """A geom was picked as the other one."""
        if geom < 0:
            return
        if self._first in (-1, geom):
            self._first = geom
            self._session.status.emit("Shift + double click the other geom")
        else:
            self._session.ask(AskPair(self._first, geom))


class BoxTool(ViewTool):
    """Shift and a drag of the left button, where no other mode has the mouse."""

    def __init__(self, viewport: ViewSurface, session: Session, looking: Looking) -> None:
        self._viewport, self._session, self._looking = viewport, session, looking
        self._found = session.part(FoundBodies)
        self._from: QPointF | None = None
        self._to = QPointF()

    @property
    def box(self) -> QRectF:
        """The rubber band in the view's pixels; empty if missing."""
        return QRectF() if self._from is None else QRectF(self._from, self._to).normalized()

    def press(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Begin at a corner."""
        shift = mouse.modifiers & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ShiftModifier
        free = self._viewport.cursor().shape() is Qt.CursorShape.ArrowCursor and self._session.model is not None
        if not (shift and free and mouse.button == Qt.MouseButton.LeftButton):
            return False
        self._from = self._to = mouse.where
        return True

    def drag(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Draw it to where the mouse is, within the view."""
        self._to = QPointF(min(max(mouse.where.x(), 0.0), canvas.width), min(max(mouse.where.y(), 0.0), canvas.height))

    def release(self, mouse: MouseAt, canvas: Canvas) -> None:
        """Find the bodies in it."""
        box, begun = self.box, self._from
        self._from = None
        if begun is not None and not is_click(begun, self._to):
            self._find(box)

    def _find(self, box: QRectF) -> None:
        session, model = self._session, self._session.loaded_model
        seen = self._looking.bodies_within(box)
        bodies = tuple(sorted(seen - {0}))
        if not bodies:
            session.select(0)
            self._found.clear()
            session.status.emit("No body is seen in the box")
            return
        geoms = tuple(int(g) for g in np.flatnonzero(np.isin(model.geom_bodyid, bodies)))
        session.select(bodies[0] if len(bodies) == 1 else 0)
        self._found.show(bodies)
        session.ask(EditTogether(geoms))
        names = ", ".join(body_name(model, b) for b in bodies[:NAMED])
        more = f" and {len(bodies) - NAMED} more" if len(bodies) > NAMED else ""
        session.status.emit(f"Found {names}{more}: {len(geoms)} geoms, edited together in the Parameters panel")

    def cancel(self) -> bool:
        """Discard the drawn box, or the bodies found."""
        had = self._from is not None or bool(self._found.bodies)
        self._from = None
        self._found.clear()
        return had

    def paint(self, painter: QPainter, canvas: Canvas) -> None:
        """Draw it."""
        if self._from is not None and canvas.active:
            painter.setPen(QPen(theme.colour("accent"), 1.4, Qt.PenStyle.DashLine))
            painter.setBrush(theme.colour("accent", 38))
            painter.drawRect(self.box)


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

"""A click on a contact's disc or arrow, or near its point, chooses that contact, and another click on it none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble.app.session.contact_choice import places
from tumble.app.session.session import Session
from tumble.app.viewport.gestures import nearest_place
from tumble.app.viewport.tools import Canvas, MouseAt, ViewTool
from tumble.render.constants import CONTACT

if TYPE_CHECKING:
    from tumble.app.viewport.widget import Viewport


def choose_contact(session: Session, index: int) -> None:
    """Choose a contact of the present snapshot, if it has that many."""
    if session.snapshot is not None and 0 <= index < session.snapshot.ncon:
        session.contact_choice.choose(places(session.loaded_model, session.snapshot)[index], session.snapshot)


class ContactPickTool(ViewTool):
    """Works while points or forces are shown and a panel shows the choice."""

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session = viewport, session

    def click(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Choose the contact that is seen there, else the one whose point, perhaps covered by what touches, is near."""
        session, options = self._session, self._viewport.options
        shown = options.contact_point or options.contact_force
        if session.snapshot is None or not (shown and session.contact_choice.open):
            return False
        hit = self._viewport.pick(mouse.where, (CONTACT,))
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

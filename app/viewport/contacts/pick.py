"""A click on a contact point chooses that contact, and another click on it none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.session.contact_choice import places
from app.session.session import Session
from app.viewport.gestures import nearest_place
from app.viewport.tools import Canvas, MouseAt, ViewTool

if TYPE_CHECKING:
    from app.viewport.widget import Viewport


class ContactPickTool(ViewTool):
    """Works while points or forces are shown and a panel shows the choice."""

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session = viewport, session

    def click(self, mouse: MouseAt, canvas: Canvas) -> bool:
        """Choose the contact whose point is near."""
        session, options = self._session, self._viewport.options
        shown = options.contact_point or options.contact_force
        if session.snapshot is None or not (shown and session.contact_choice.open):
            return False
        seen = canvas.view.project(session.snapshot.contact("pos"), canvas.width, canvas.height)
        nearest = nearest_place(seen, mouse.where.x(), mouse.where.y())
        if nearest == session.contact_choice.index >= 0:
            session.contact_choice.clear()
        elif nearest >= 0:
            session.contact_choice.choose(places(session.loaded_model, session.snapshot)[nearest], session.snapshot)
        return nearest >= 0

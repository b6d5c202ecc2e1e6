"""Double clicks: select what is under the mouse, centre or track it, or ask about a pair of geoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PyQt6.QtCore import QPointF

from tumble.app.session.requests import Show
from tumble.app.session.session import Session
from tumble.app.viewport.gestures import Click
from tumble.app.viewport.seeing.contact_pick import choose_contact
from tumble.app.viewport.seeing.pair_picker import PairPicker
from tumble.physics.state.enums import mjtObj
from tumble.render.camera import look_at, track
from tumble.render.constants import CONTACT
from tumble.render.picking.eye import SURFACES

if TYPE_CHECKING:
    from tumble.app.viewport.widget import Viewport

# What a body is selected by; tendons and equalities are looked through: they belong to several.
CHOSEN = (
    *SURFACES, int(mjtObj.mjOBJ_SITE), int(mjtObj.mjOBJ_BODY), int(mjtObj.mjOBJ_JOINT), int(mjtObj.mjOBJ_CAMERA),
    int(mjtObj.mjOBJ_LIGHT), int(mjtObj.mjOBJ_ACTUATOR),
)  # fmt: skip
REACH = 3  # pixels that the mouse may be beside what is thin


class Chooser:
    """Of one view."""

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session, self._pair = viewport, session, PairPicker(session)

    def double_click(self, where: QPointF, click: Click) -> None:
        """Do what a double click at a point of the view means."""
        view = self._viewport
        if click is Click.SELECT:
            self.select_at(where, contacts=True)
            return
        found = view.pick(where)
        if found is None:
            return
        if click is Click.PAIR:
            self._pair.ask(found.geom)
        elif click is Click.CENTRE:
            view.glide_to(look_at(view.camera, np.array(found.point)))
        elif click is Click.TRACK and found.body > 0:
            view.glide_to(track(view.camera, found.body))

    def select_at(self, where: QPointF, *, contacts: bool = False) -> None:
        """Select the body of what is seen at a point of the view, at that point of it.

        contacts: or choose a contact that is seen there, for the panels that show it.
        """
        session = self._session
        found = self._viewport.pick(where, (*CHOSEN, CONTACT) if contacts else CHOSEN, REACH)
        if found is not None and found.objtype == CONTACT:
            if not session.contact_choice.open:
                session.ask(Show("contacts"))
            choose_contact(session, found.objid)
            return
        self._pair.note(-1 if found is None else found.geom)
        if found is None or found.body <= 0:
            session.select(0)
            return
        session.select(found.body)
        self._viewport.local_point = np.array(found.localpos)
        self._viewport.update()

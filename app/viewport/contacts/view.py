"""What one view shows of the session's contacts: scales that hold from picture to picture, the mark, the legend."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING

from app.session.session import Session
from app.viewport.contacts.arrow_length import ArrowLength
from app.viewport.contacts.legend import LegendTool
from app.viewport.contacts.mark import apart_figures, contact_mark
from app.viewport.contacts.pick import ContactPickTool
from app.viewport.figures import flatten
from app.viewport.overlay import Overlay
from render.camera import View
from render.contacts.legend import legend
from render.contacts.scale import SteadyScale
from render.options import RenderOptions

if TYPE_CHECKING:
    from app.viewport.widget import Viewport


class ContactView:
    """Of one view; its tools are among those of the view."""

    def __init__(self, viewport: Viewport, session: Session) -> None:
        self._viewport, self._session, self._scale = viewport, session, SteadyScale()
        length = session.part(ArrowLength)
        self._tool = LegendTool(viewport, length)
        for tool in (ContactPickTool(viewport, session), self._tool):
            viewport.tools.add(tool)
        viewport.options.force_size = length.value
        length.changed.connect(self._stretch)

    def _stretch(self, value: float) -> None:
        self._viewport.options.force_size = value
        self._viewport.update()

    def options(self, view: View | None) -> RenderOptions:
        """The options of the present picture: with forces that a panel shows, and the scales of arrows and pressures."""
        session, options = self._session, self._viewport.options
        if view is None or session.shown is None:
            return options
        if options.contact_point and options.contact_past and not options.classic:
            session.extras.past.ask()
        frame, now, scrubbed = session.shown[1], monotonic(), session.extras.forces is not None
        forces = options.contact_force or scrubbed
        cone = options.friction_cone and session.contact_choice.index >= 0
        if not (forces or cone or options.contact_patch):
            return options
        # While iterations are compared, the scale does not shrink between them.
        newtons = self._scale.follow(frame, view, options, now, hold=scrubbed) if forces or cone else 0.0
        pascals = self._scale.follow_pressure(frame, now, hold=scrubbed) if options.contact_patch else 0.0
        return replace(options, contact_force=forces, force_newtons=newtons, patch_pressure=pascals)

    def annotate(self, result: Overlay, view: View, width: int, height: int) -> None:
        """Write the mark of the chosen contact and the legend over a picture."""
        session, choice = self._session, self._session.contact_choice
        result.marked = contact_mark(session, view, width, height)
        result.figures = [*result.figures, *flatten(apart_figures(session), view, width, height)]
        if session.shown is not None:
            model, frame = session.shown
            result.legend = legend(model, frame, view, self.options(view), choice.pair)
        self._tool.legend = result.legend

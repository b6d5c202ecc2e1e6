"""Contacts as one view shows them: scales that hold from picture to picture, mark and legend."""

from __future__ import annotations

from time import monotonic

from msgspec.structs import replace

from tumble.app.session.session import Session
from tumble.app.viewport.contacts.mark import apart_figures, contact_mark
from tumble.app.viewport.figures import flatten
from tumble.app.viewport.overlay import Overlay
from tumble.render.camera import View
from tumble.render.options import RenderOptions
from tumble.render.scene.contact_legend import ContactLegend, SteadyScale, legend


class ContactView:
    """Contacts of one view. legend: the last one drawn."""

    def __init__(self, session: Session) -> None:
        self._session, self._scale = session, SteadyScale()
        self.legend: ContactLegend | None = None

    def options(self, options: RenderOptions, view: View | None) -> RenderOptions:
        """Options of the present picture: with forces from a panel, and the scales of arrows and pressures."""
        session = self._session
        if view is None or session.shown is None:
            return options
        if options.contact_point and options.contact_past and not options.classic:
            session.extras.ended.ask()
        frame, now, scrubbed = session.shown[1], monotonic(), session.extras.forces is not None
        forces = options.contact_force or scrubbed
        cone = options.friction_cone and session.contact_choice.index >= 0
        if not (forces or cone or options.contact_patch):
            return options
        # While iterations are compared, the scale does not shrink between them.
        newtons = self._scale.follow(frame, view, options, now, hold=scrubbed) if forces or cone else 0.0
        pascals = self._scale.follow_pressure(frame, now, hold=scrubbed) if options.contact_patch else 0.0
        return replace(options, contact_force=forces, force_newtons=newtons, patch_pressure=pascals)

    def annotate(self, result: Overlay, options: RenderOptions, view: View, width: int, height: int) -> None:
        """Write the mark of the chosen contact and the legend over a picture that was taken with these options."""
        session, choice = self._session, self._session.contact_choice
        result.marked = contact_mark(session, view, width, height)
        result.figures = [*result.figures, *flatten(apart_figures(session), view, width, height)]
        if session.shown is not None:
            model, frame = session.shown
            result.legend = legend(model, frame, view, options, choice.pair)
        self.legend = result.legend

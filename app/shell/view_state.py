"""View state in replay files: camera and path, render options, docks and bookmarks."""

from __future__ import annotations

import logging
import math
from typing import Any

from tumble.app.film.camera_keys import CameraKeys
from tumble.app.film.camera_path import PathError
from tumble.app.film.view_options import options_to
from tumble.app.panels.table import Panels
from tumble.app.replay.view import camera_from, camera_to, docks_from, fits, marks_from
from tumble.app.session.session import Session
from tumble.app.shell.layouts.view_sets import cameras_to, show_cameras, show_views, views_to
from tumble.app.viewport.tiles.arrangement import Arrangement
from tumble.app.viewport.widget import Viewport

log = logging.getLogger(__name__)

TIME_LINE = "timeline"  # the key of the panel that goes through the past


def describe(session: Session, viewport: Viewport, panels: Panels) -> dict[str, Any]:
    """The view as plain JSON; bookmarks, and the time from which on the past is kept, are added where that is cut."""
    camera, options = camera_to(viewport.camera), options_to(viewport.options)
    return {
        "camera": camera,
        "options": options,
        "views": views_to(viewport),
        "cameras": cameras_to(viewport),
        "docks": panels.open_keys(),
        "camera_path": session.part(CameraKeys).to_json(),
    }


def take_up(session: Session, viewport: Viewport, panels: Panels) -> None:
    """Show what the file that was opened says, if it says anything; it shows docks, and hides none of the user's."""
    view = session.view
    camera = camera_from(view.get("camera"))
    if camera is not None and fits(camera, session.loaded_model):
        viewport.set_camera(camera)
    if isinstance(view.get("views"), dict):
        if view["views"].get("arrangement") != Arrangement.ONE.value:
            show_views(viewport, view["views"])
        show_cameras(viewport, view.get("cameras"), session.loaded_model)
    shown = docks_from(view.get("docks"), panels.keys)
    if session.history.end > 0:
        shown.append(TIME_LINE)  # what was opened is to be gone through
    panels.open(shown)
    session.history.restore(marks_from(view.get("bookmarks")))
    begin = view.get("begin")
    if view.get("camera_path"):
        origin = float(begin) if isinstance(begin, int | float) and math.isfinite(begin) else 0.0
        try:
            session.part(CameraKeys).from_json(view["camera_path"], origin)
        except PathError as error:
            log.warning("the camera path in %s is left out: %s", session.path, error)

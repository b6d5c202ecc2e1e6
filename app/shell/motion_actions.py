"""The actions of trails, ghosts of the past and smooth slow motion."""

from __future__ import annotations

from functools import partial

from PyQt6.QtGui import QAction

from tumble.app.session.motion.past import PastGhosts
from tumble.app.session.motion.slow import SlowMotion
from tumble.app.session.motion.trails import TrailPoint, Trails
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport


def connect(session: Session, view: Viewport, made: dict[str, QAction]) -> None:
    """Connect the actions, and keep their check marks up to date."""
    trails, ghosts, slow = session.part(Trails), session.part(PastGhosts), session.part(SlowMotion)

    def refresh() -> None:
        made["trail"].setChecked(trails.has(session.selection))
        made["no_trails"].setEnabled(bool(trails.bodies))
        for point in TrailPoint:
            made[f"trail_{point.value}"].setChecked(trails.point is point)

    def toggle() -> None:
        if session.selection <= 0:
            session.status.emit("Select a body first: double-click it")
        x, y, z = (float(v) for v in view.local_point)
        trails.toggle(session.selection, (x, y, z))
        refresh()

    def choose(point: TrailPoint) -> None:
        trails.set_point(point)
        refresh()

    made["trail"].triggered.connect(toggle)
    made["no_trails"].triggered.connect(trails.remove_all)
    made["no_trails"].setProperty("why", "there are no trails")
    for point in TrailPoint:
        made[f"trail_{point.value}"].triggered.connect(partial(lambda point, checked: choose(point), point))
    trails.changed.connect(refresh)
    session.selection_changed.connect(refresh)
    made["past_ghosts"].setChecked(ghosts.on)
    made["past_ghosts"].toggled.connect(ghosts.set_on)
    made["smooth_motion"].setChecked(slow.on)
    made["smooth_motion"].toggled.connect(slow.set_on)
    refresh()

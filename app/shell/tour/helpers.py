"""Actions that complete a skipped step, so that the next one makes sense."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tumble.app.editing.edits import EditPlace
from tumble.app.session.contact_choice import places
from tumble.app.session.requests import TuneGeom
from tumble.app.shell.tour.parts import contact_filter, rollers
from tumble.app.shell.tour.steps import SOFTER

if TYPE_CHECKING:
    from tumble.app.shell.main_window import MainWindow


def _pause(window: MainWindow) -> None:
    window.session.set_paused(True)


def _play(window: MainWindow) -> None:
    window.session.set_paused(False)


def _filter(window: MainWindow) -> None:
    contact_filter(window).setText("slip")


def _choose(window: MainWindow) -> None:
    """The first contact of a roller, as the table lists them."""
    session, own = window.session, rollers(window)
    if session.snapshot is None:
        return
    found = [place for place in places(session.loaded_model, session.snapshot) if place.carrier in own]
    if found:
        session.contact_choice.choose(found[0], session.snapshot)


def _points(window: MainWindow) -> None:
    action = window.actions_by_name["contact_point"]
    if not action.isChecked():
        action.trigger()


def _parameters(window: MainWindow) -> None:
    for geom in rollers(window)[:1]:
        window.session.ask(TuneGeom(geom))


def _soften(window: MainWindow) -> None:
    for geom in rollers(window)[:1]:
        place = EditPlace("geom_solref", geom)
        window.edits.set(place, (SOFTER, *window.edits.value(place)[1:]), "Change solref")


HELPERS: dict[str, Callable[[MainWindow], None]] = {
    "pause": _pause,
    "play": _play,
    "filter": _filter,
    "choose": _choose,
    "points": _points,
    "parameters": _parameters,
    "soften": _soften,
}

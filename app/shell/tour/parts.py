"""What the tour knows of the window: where its parts are found, by the names in the table of steps."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QRect
from PyQt6.QtWidgets import QDockWidget, QScrollArea, QWidget

import physics
from app.describe.names import name_of
from app.editing.edits import EditPlace
from app.shell.tour.pulls import PullWatch
from app.shell.tour.steps import Situation

if TYPE_CHECKING:
    from app.panels.contacts.panel import ContactsPanel
    from app.panels.parameters.panel import ParametersPanel
    from app.shell.main_window import MainWindow

ROLLERS = ("left", "right")  # the geoms whose softness the tour changes


def contacts(window: MainWindow) -> ContactsPanel:
    """The panel of contacts."""
    return window.panels.contacts


def parameters(window: MainWindow) -> ParametersPanel:
    """The panel of parameters."""
    return window.panels.parameters


_PANELS: dict[str, Callable[[MainWindow], object]] = {"contacts": contacts, "parameters": parameters}


def find_dock(window: MainWindow, name: str) -> QDockWidget | None:
    """A dock by its object name; None: there is none of that name."""
    return next((dock for dock in window.docks if dock.objectName() == name), None)


def find(window: MainWindow, path: str) -> Any:  # noqa: ANN401 - a signal, a widget, a panel
    """What a path of names leads to: from a panel (`contacts.search`), an action (`actions.pause`), or the window."""
    head, _, rest = path.partition(".")
    if head == "actions":
        name, _, signal = rest.partition(".")
        return getattr(window.actions_by_name[name], signal)
    return attrgetter(rest)(_PANELS[head](window)) if head in _PANELS else attrgetter(path)(window)


def find_target(window: MainWindow, name: str) -> QWidget | None:
    """What a step points at; None: it is not there now."""
    kind, _, which = name.partition(".")
    if kind == "toolbar":
        return window.toolbar.widgetForAction(window.actions_by_name[which])
    if kind == "menu":
        return window.menuBar()
    if name == "parameters.solref":
        return parameters(window).rows.get("solref")  # not there while the panel shows an element of another kind
    found = find(window, name)
    return found if isinstance(found, QWidget) else None


def find_area(window: MainWindow, name: str) -> tuple[QWidget, QRect] | None:
    """The part of a widget that a step points at, as far as it is seen, in the widget's own pixels; None: nothing is."""
    widget = find_target(window, name)
    if widget is None or not widget.isVisible():
        return None
    area = widget.visibleRegion().boundingRect()
    bar = window.menuBar()
    if name.startswith("menu.") and bar is not None:
        entries = [action for action in bar.actions() if action.text().replace("&", "") == name.partition(".")[2]]
        area = area.intersected(bar.actionGeometry(entries[0])) if entries else QRect()
    return None if area.isEmpty() else (widget, area)


def scroll_to(window: MainWindow, name: str) -> None:
    """Bring what a step points at into sight, where it is in a panel that scrolls."""
    widget = find_target(window, name)
    holder = widget.parentWidget() if widget is not None else None
    while holder is not None:
        if isinstance(holder, QScrollArea) and widget is not None:
            holder.ensureWidgetVisible(widget)
        holder = holder.parentWidget()


def situation(window: MainWindow, pulls: PullWatch) -> Situation:
    """What the steps may ask about the window now."""
    session = window.session
    pulls.note(session.grip)
    return Situation(
        camera=window.viewport.camera,
        pulls=pulls.count,
        paused=session.paused,
        filter=contacts(window).search.text(),
        contact_chosen=session.contact_choice.pair is not None,
        contact_points=window.actions_by_name["contact_point"].isChecked(),
        element=_element(window),
        softness=_softness(window),
        patch_shown=parameters(window).bar.view.isVisible(),
    )


def rollers(window: MainWindow) -> list[int]:
    """The geoms whose softness the tour changes; none while another model is open."""
    model = window.session.model
    if model is None:
        return []
    found = [physics.mj_name2id(model, physics.mjtObj.mjOBJ_GEOM, name) for name in ROLLERS]
    return [geom for geom in found if geom >= 0]


def _element(window: MainWindow) -> str:
    kind, index = parameters(window).choice.current
    if kind is None or kind.name != "geom" or window.session.model is None:
        return ""
    return f"geom {name_of(window.session.model, physics.mjtObj.mjOBJ_GEOM, index)}"


def _softness(window: MainWindow) -> float:
    return max((window.edits.value(EditPlace("geom_solref", geom))[0] for geom in rollers(window)), default=0.0)

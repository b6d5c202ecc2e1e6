"""Parts and signals of the window, by their names in the table of the tour's steps.

Widgets of panels are found by their object names: the tour knows neither their classes nor their owners.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from PyQt6.QtCore import QRect, pyqtBoundSignal
from PyQt6.QtWidgets import QLineEdit, QPushButton, QScrollArea, QWidget

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.editing.edits import EditPlace
from tumble.app.shell.tour.steps import PullWatch, Situation
from tumble.app.widgets.element_choice import ElementChoice
from tumble.app.widgets.patch_writing import PatchView

if TYPE_CHECKING:
    from tumble.app.shell.window import ShellWindow

W = TypeVar("W", bound=QWidget)
ROLLERS = ("left", "right")  # the geoms whose softness the tour changes


def contact_filter(window: ShellWindow) -> QLineEdit:
    """Filter text of the contacts panel."""
    return _widget(window, "contacts", QLineEdit, "search")


def _tuned(window: ShellWindow) -> ElementChoice:
    """The choice of the element whose parameters are shown."""
    return _widget(window, "parameters", ElementChoice, "element")


def _widget(window: ShellWindow, panel: str, kind: type[W], name: str) -> W:
    widget = window.panels.dock(panel).panel.findChild(kind, name)
    assert isinstance(widget, kind), f"the panel {panel} has no {kind.__name__} {name}"
    return widget


def find_signal(window: ShellWindow, name: str) -> pyqtBoundSignal:
    """The signal after which to check whether a step is done."""
    signals: dict[str, Callable[[], pyqtBoundSignal]] = {
        "camera": lambda: window.viewport.camera_changed,
        "advanced": lambda: window.session.advanced,
        "paused": lambda: window.session.paused_changed,
        "filter": lambda: contact_filter(window).textChanged,
        "contact": lambda: window.session.contact_choice.changed,
        "points": lambda: window.actions_by_name["contact_point"].toggled,
        "element": lambda: _tuned(window).chosen,
        "edits": lambda: window.edits.changed,
        "write button": lambda: _widget(window, "parameters", QPushButton, "write").clicked,
        "write action": lambda: window.actions_by_name["write"].triggered,
    }
    return signals[name]()


def find_target(window: ShellWindow, name: str) -> QWidget | None:
    """Target of a step: "viewport", "toolbar.<action>", "menu.<entry>" or "<panel>.<widget>"; None if absent."""
    kind, _, which = name.partition(".")
    if kind == "viewport":
        return window.viewport
    if kind == "toolbar":
        return window.toolbar.widgetForAction(window.actions_by_name[which])
    if kind == "menu":
        return window.menuBar()
    return window.panels.dock(kind).panel.findChild(QWidget, which)


def find_area(window: ShellWindow, name: str) -> tuple[QWidget, QRect] | None:
    """The visible part of a step's target, in the widget's own pixels; None if hidden."""
    widget = find_target(window, name)
    if widget is None or not widget.isVisible():
        return None
    area = widget.visibleRegion().boundingRect()
    bar = window.menuBar()
    if name.startswith("menu.") and bar is not None:
        entries = [action for action in bar.actions() if action.text().replace("&", "") == name.partition(".")[2]]
        area = area.intersected(bar.actionGeometry(entries[0])) if entries else QRect()
    return None if area.isEmpty() else (widget, area)


def scroll_to(window: ShellWindow, name: str) -> None:
    """Scroll the target of a step into view, where its panel scrolls."""
    widget = find_target(window, name)
    holder = widget.parentWidget() if widget is not None else None
    while holder is not None:
        if isinstance(holder, QScrollArea) and widget is not None:
            holder.ensureWidgetVisible(widget)
        holder = holder.parentWidget()


def situation(window: ShellWindow, pulls: PullWatch) -> Situation:
    """Current state of the window, for the steps' conditions."""
    session = window.session
    pulls.note(session.grip)
    patch = window.findChild(PatchView)
    return Situation(
        camera=window.viewport.camera,
        pulls=pulls.count,
        paused=session.paused,
        filter=contact_filter(window).text(),
        contact_chosen=session.contact_choice.pair is not None,
        contact_points=window.actions_by_name["contact_point"].isChecked(),
        element=_element(window),
        softness=_softness(window),
        patch_shown=patch is not None and patch.isVisible(),
    )


def rollers(window: ShellWindow) -> list[int]:
    """The geoms whose softness the tour changes; none while another model is open."""
    model = window.session.model
    if model is None:
        return []
    geoms = [physics.mj_name2id(model, physics.mjtObj.mjOBJ_GEOM, name) for name in ROLLERS]
    return [geom for geom in geoms if geom >= 0]


def _element(window: ShellWindow) -> str:
    kind, index = _tuned(window).current
    if kind is None or kind.name != "geom" or window.session.model is None:
        return ""
    return f"geom {name_of(window.session.model, physics.mjtObj.mjOBJ_GEOM, index)}"


def _softness(window: ShellWindow) -> float:
    return max((window.edits.value(EditPlace("geom_solref", geom))[0] for geom in rollers(window)), default=0.0)

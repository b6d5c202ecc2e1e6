"""The tour: leads through the steps in the real window, tracks the user's actions, and restores the window."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QObject, QPoint, QRect, QRectF, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QPainter, QPaintEvent, QPen, QRegion
from PyQt6.QtWidgets import QWidget

from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.library import archive as archives
from tumble.app.look import theme
from tumble.app.look.theme import RESOURCES
from tumble.app.session.contact_tracking import places
from tumble.app.session.requests import TuneGeom
from tumble.app.shell.tour.card import Card
from tumble.app.shell.tour.steps import SOFTER, STEPS, PullWatch, TourProgress
from tumble.app.shell.tour.targets import contact_filter, find_area, find_signal, rollers, scroll_to, situation
from tumble.render.camera import pan

if TYPE_CHECKING:
    from tumble.app.editing.keyframes import Keyframes
    from tumble.app.shell.window import ShellWindow

ASIDE = (-0.2, 0.1)  # the scene is moved out of the card's way where there is room, in heights of the view
FOLLOW = 60  # between two looks at where things are in the window [ms]


class Guide(QObject):
    """One run of the tour. ended: the card is closed and the panels are where they were."""

    ended = pyqtSignal()

    def __init__(self, window: ShellWindow) -> None:
        super().__init__(window)
        self._window = window
        self.before = Before(window)
        self._pulls = PullWatch()
        self._heard: list[Any] = []  # signals of the present step
        self._asking = False  # whether a return to the previous model is offered
        self._over = False
        self._coming = False  # whether the scene is loading
        self.progress = TourProgress(STEPS)
        self.card, self.pointer = Card(window), Pointer(window)
        self.card.next.clicked.connect(self.next)
        self.card.back.clicked.connect(self.back)
        self.card.end.clicked.connect(self.leave)
        window.session.model_loaded.connect(self._on_loaded)
        self._timer = QTimer(self)
        self._timer.setInterval(FOLLOW)
        self._timer.timeout.connect(self._follow)
        self._timer.start()
        self._enter()

    # ---- user input

    def next(self) -> None:
        """The next step; skipped tasks are done for the user where later steps need them. At the end: back to the model."""
        if self._asking:
            self.stop(reopen=True)
            return
        task = self.progress.step.task
        if task is not None and task.help and not self.progress.is_done:
            HELPERS[task.help](self._window)
        if self.progress.is_last:
            self.leave()
        else:
            self.progress.go(1)
            self._enter()

    def back(self) -> None:
        """The step before."""
        self.progress.go(-1)
        self._enter()

    def leave(self) -> None:
        """End the tour; where another model was open before, ask whether to reopen it."""
        if self._asking or not self.before.can_reopen or self.before.path is None:
            self.stop()
            return
        self._hush()
        self._asking = True
        self.pointer.hide()
        self.card.ask_back(self.before.path.name, self.before.change_count)

    @property
    def holds_changes(self) -> bool:
        """True if the previous model has unsaved changes and can be reopened."""
        return self.before.change_count > 0 and self.before.can_reopen

    # ---- a step

    @property
    def _scene(self) -> Path:
        """The model that the present step is about."""
        return RESOURCES / "models" / self.progress.step.scene

    def _enter(self) -> None:
        """Open the panel of the step, and listen for its task."""
        window, step = self._window, self.progress.step
        self._hush()
        if window.session.path != self._scene:
            self._coming = True
            window.open_at_once(self._scene)
        if step.dock:
            window.panels.dock(step.dock).bring()
        for name in step.task.signals if step.task is not None else ():
            signal = find_signal(window, name)
            signal.connect(self._look)
            self._heard.append(signal)
        self.progress.begin(situation(window, self._pulls))
        self.card.show_step(self.progress)
        QTimer.singleShot(0, self._scroll)  # once the panel is laid out
        self._follow()

    def _on_loaded(self) -> None:
        """The scene is loaded or reloaded: actions count from here on. Another model ends the tour."""
        if self._window.session.path != self._scene:
            self.stop()
        elif not self._asking:
            view = self._window.viewport
            if self._coming and view.width() > 2 * self.card.width():
                view.set_camera(pan(view.camera, self._window.session.loaded_model, *ASIDE))
            self._coming = False
            self.progress.restart(situation(self._window, self._pulls))
            self.card.show_done(self.progress)

    def _look(self, *args: object) -> None:
        """Check the step's task after a signal."""
        was = self.progress.is_done
        if self.progress.look(situation(self._window, self._pulls)) != was:
            self.card.show_done(self.progress)

    def _hush(self) -> None:
        for signal in self._heard:
            signal.disconnect(self._look)
        self._heard.clear()

    # ---- where things are

    def _scroll(self) -> None:
        if not self._over:
            scroll_to(self._window, self.progress.step.target)

    def _follow(self) -> None:
        """Keep the card in its corner, and the frame around its part of the window."""
        view = self._window.viewport
        self.card.lie_in(view.rect().translated(view.mapTo(self._window, view.rect().topLeft())), below=bool(view.error))
        target = None if self._asking else find_area(self._window, self.progress.step.target)
        if target is None:
            self.pointer.hide()
        else:
            self.pointer.point_at(*target)
        self._stay_in_front()

    def _stay_in_front(self) -> None:
        """Stay in front of widgets that Qt raises: it does so with the view when panels change their places."""
        if next(child for child in reversed(self._window.children()) if child.isWidgetType()) is not self.card:
            self.pointer.raise_()
            self.card.raise_()

    # ---- the end

    def stop(self, *, reopen: bool = False) -> None:
        """End it at once, without a question. reopen: bring the model back that was open before."""
        if self._over:
            return
        self._over = True
        self._hush()
        self._timer.stop()
        self._window.session.model_loaded.disconnect(self._on_loaded)
        for widget in (self.card, self.pointer):
            widget.hide()
            widget.deleteLater()
        self.before.bring_back_panels()
        if reopen:
            self.before.reopen()
        self.ended.emit()


AIR = 3  # pixels between the frame and its target
INK = 2  # ... of its line
HALO = 3  # ... and of the dimmer line around that
RADIUS = 6.0


class Pointer(QWidget):
    """A frame that takes neither focus nor mouse: only its rim is painted."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pointer")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def point_at(self, widget: QWidget, area: QRect) -> None:
        """Surround a part of a widget, in whichever window that is, as far as the window reaches."""
        holder = widget.window()
        if holder is None:
            return
        if self.parentWidget() is not holder:
            self.setParent(holder)  # a dock floats, or no longer
        rim = AIR + INK + HALO
        corner = widget.mapTo(holder, QPoint(0, 0)) if widget is not holder else QPoint(0, 0)
        around = area.translated(corner).adjusted(-rim, -rim, rim, rim).intersected(holder.rect())
        if around != self.geometry() or self.isHidden():
            self.setGeometry(around)
            region = QRegion(self.rect())
            self.setMask(region.subtracted(QRegion(self.rect().adjusted(rim, rim, -rim, -rim))))
            self.show()
            self.raise_()

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """A line in the accent's colour with a halo."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for alpha, width, inset in ((90, INK + 2 * HALO, HALO + INK / 2), (255, INK, HALO + INK / 2)):
            painter.setPen(QPen(theme.colour("accent", alpha), width))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), RADIUS, RADIUS)
        painter.end()


def _choose(window: ShellWindow) -> None:
    """Choose the first contact of a roller, as the table lists them."""
    session, own = window.session, rollers(window)
    if session.snapshot is not None:
        matches = (place for place in places(session.loaded_model, session.snapshot) if place.carrier in own)
        session.contact_choice.choose(next(matches, None), session.snapshot)


def _show_points(window: ShellWindow) -> None:
    action = window.actions_by_name["contact_point"]
    if not action.isChecked():
        action.trigger()


def _parameters(window: ShellWindow) -> None:
    for geom in rollers(window)[:1]:
        window.session.ask(TuneGeom(geom))


def _soften(window: ShellWindow) -> None:
    for geom in rollers(window)[:1]:
        place = EditPlace("geom_solref", geom)
        window.edits.set(place, (SOFTER, *window.edits.value(place)[1:]), "Change solref")


HELPERS: dict[str, Callable[[ShellWindow], None]] = {
    "pause": lambda window: window.session.set_paused(True),
    "play": lambda window: window.session.set_paused(False),
    "filter": lambda window: contact_filter(window).setText("slip"),
    "choose": _choose,
    "points": _show_points,
    "parameters": _parameters,
    "soften": _soften,
}


log = logging.getLogger(__name__)


class Before:
    """Panels, switches and the model as they are when this is made."""

    def __init__(self, window: ShellWindow) -> None:
        session = window.session
        self._window = window
        self._layout, self._folded = window.saveState(), window.layouts.sides.to_json()
        self._closed = [dock for dock in window.docks if not dock.isVisible()]
        self._paused = session.paused
        self._points = window.actions_by_name["contact_point"].isChecked()
        self._filter = contact_filter(window).text()
        self._camera = window.viewport.camera
        self.path = session.origin
        self.changes = window.edits.changes()
        self._poses = _keyframes(window).unwritten if window.edits.keyframes else []

    @property
    def can_reopen(self) -> bool:
        """True if another model is open or loading now, and the previous one's file still exists."""
        session = self._window.session
        other = session.loads.busy or session.origin != self.path or self.change_count > 0
        return self.path is not None and other and os.path.isfile(archives.on_disk(self.path))

    @property
    def change_count(self) -> int:
        """Number of unsaved changes and keyframes."""
        return len(self.changes) + len(self._poses)

    def bring_back_panels(self) -> None:
        """The panels in their places, closed ones closed, and the switches that the tour sets."""
        window = self._window
        window.restoreState(self._layout)
        window.layouts.sides.from_json(self._folded)
        for dock in self._closed:
            dock.hide()
        contact_filter(window).setText(self._filter)
        points = window.actions_by_name["contact_point"]
        if points.isChecked() != self._points:
            points.trigger()
        window.session.set_paused(self._paused)

    def reopen(self) -> None:
        """The model that was open, seen as it was, with the changes that were not written to its file."""
        session, path = self._window.session, self.path
        if path is None:
            return

        def on_loaded() -> None:
            session.model_loaded.disconnect(on_loaded)
            if session.origin == path:
                self._window.viewport.set_camera(self._camera)
                change_again(self._window.edits, self.changes)
                if self._poses:
                    _keyframes(self._window).bring(self._poses)

        session.model_loaded.connect(on_loaded)
        self._window.open_at_once(path)


def _keyframes(window: ShellWindow) -> Keyframes:
    from tumble.app.editing.keyframes import Keyframes

    return window.session.part(Keyframes)


def change_again(edits: Edits, changes: dict[EditPlace, tuple[Values, Values]]) -> None:
    """Apply changes (before, now) again to the reloaded model, where its file still has the old values."""
    again: dict[EditPlace, Values] = {}
    for place, (before, now) in changes.items():
        try:
            same = edits.value(place) == before
        except IndexError:  # the file was changed meanwhile, and has fewer elements
            same = False
        if same:
            again[place] = now
        else:
            log.warning("a change of %s is not made again: the file has another value now", place.field)
    edits.set_all(again, "Changes kept")

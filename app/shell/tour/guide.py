"""The tour: leads through the steps on the real window, sees what the user does, and leaves the window as it was."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from tumble.app.look.theme import RESOURCES
from tumble.app.shell.tour.before import Before
from tumble.app.shell.tour.card import Card
from tumble.app.shell.tour.helpers import HELPERS
from tumble.app.shell.tour.parts import find_area, find_signal, scroll_to, situation
from tumble.app.shell.tour.pointer import Pointer
from tumble.app.shell.tour.progress import TourProgress
from tumble.app.shell.tour.pulls import PullWatch
from tumble.app.shell.tour.steps import STEPS
from tumble.render.camera import pan

if TYPE_CHECKING:
    from tumble.app.shell.main_window import MainWindow

ASIDE = (-0.2, 0.1)  # the scene is moved out of the card's way where there is room, in heights of the view
FOLLOW = 60  # between two looks at where things are in the window [ms]


class Guide(QObject):
    """One run of the tour. ended: the card is closed and the panels are where they were."""

    ended = pyqtSignal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._before = Before(window)
        self._pulls = PullWatch()
        self._heard: list[Any] = []  # signals of the present step
        self._asking = False  # whether the model before is offered
        self._over = False
        self._coming = False  # whether the scene is on its way
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

    @property
    def came_from(self) -> Path | None:
        """State of the window before the tour."""
        return self._before.path

    # ---- what the user wants

    def next(self) -> None:
        """The next step; what this one asks for is done for the user where later ones need it. At the end: back to the model."""
        if self._asking:
            self._end(reopen=True)
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
        """End the tour; where another model was open before, ask whether it shall come back."""
        if self._asking or not self._before.can_reopen or self._before.path is None:
            self._end(reopen=False)
            return
        self._hush()
        self._asking = True
        self.pointer.hide()
        self.card.ask_back(self._before.path.name, self._before.change_count)

    @property
    def holds_changes(self) -> bool:
        """True if the previous model has unsaved changes and can be reopened."""
        return self._before.change_count > 0 and self._before.can_reopen

    def stop(self, *, reopen: bool = False) -> None:
        """End it at once, without a word: the window closes. reopen: bring the model back that was open before."""
        self._end(reopen=reopen)

    # ---- a step

    @property
    def _scene(self) -> Path:
        """The model that the present step is about."""
        return RESOURCES / "models" / self.progress.step.scene

    def _enter(self) -> None:
        """Open what the step needs, and listen for what it asks."""
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
        """The scene has come, or comes again: what the user does counts from here on. Another model ends the tour."""
        if self._window.session.path != self._scene:
            self._end(reopen=False)
        elif not self._asking:
            view = self._window.viewport
            if self._coming and view.width() > 2 * self.card.width():
                view.set_camera(pan(view.camera, self._window.session.loaded_model, *ASIDE))
            self._coming = False
            self.progress.restart(situation(self._window, self._pulls))
            self.card.show_done(self.progress)

    def _look(self, *args: object) -> None:
        """Something has happened that the step may be about."""
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
        found = None if self._asking else find_area(self._window, self.progress.step.target)
        if found is None:
            self.pointer.hide()
        else:
            self.pointer.point_at(*found)
        self._stay_in_front()

    def _stay_in_front(self) -> None:
        """Come back before what Qt has brought to the front: it does so with the view when panels change their places."""
        if next(child for child in reversed(self._window.children()) if child.isWidgetType()) is not self.card:
            self.pointer.raise_()
            self.card.raise_()

    # ---- the end

    def _end(self, *, reopen: bool) -> None:
        if self._over:
            return
        self._over = True
        self._hush()
        self._timer.stop()
        self._window.session.model_loaded.disconnect(self._on_loaded)
        for widget in (self.card, self.pointer):
            widget.hide()
            widget.deleteLater()
        self._before.bring_back_panels()
        if reopen:
            self._before.reopen()
        self.ended.emit()

"""The timeline panel: the recorded history, with pictures of its events; go back, replay it, continue from there."""

from __future__ import annotations

import math
from copy import deepcopy

from PyQt6.QtCore import QPoint, QTimer
from PyQt6.QtGui import QImage, QResizeEvent
from PyQt6.QtWidgets import QWidget

from tumble.app.film.camera_keys import CameraKeys
from tumble.app.panels.timeline.branch_lanes import BookmarkList, BranchLanes, HoverCard
from tumble.app.panels.timeline.controls import TimeControls, TimeLegend
from tumble.app.panels.timeline.strip import (
    Axis,
    Move,
    Requests,
    Spot,
    Spots,
    empty_line,
    goal,
    mark_here,
    spot_lines,
    spots,
    stand,
)
from tumble.app.panels.timeline.strip_view import ShownTimes, TimeStripView
from tumble.app.replay.replay_view import Bookmark
from tumble.app.session.events import Event
from tumble.app.viewport.thumbnails import HEIGHT, WIDTH, Gallery
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, vbox
from tumble.render.frame import Frame

INTERVAL = 0.04  # wall time between two drawings of the strip [s]
PICTURE_INTERVAL = 0.5  # ... and between two pictures of moments, while time runs [s]
DEVELOP = 30  # interval of checks for time to draw a picture [ms]
LATE = 120  # delay after which a skipped redraw is done [ms]
LIST_WIDE, LIST_SHARE = 190, 0.3  # pixels of the bookmarks' names, but at most so much of the dock
REST = 400  # the camera has stood still for so long [ms]: pictures are made again as it now sees them


class TimelinePanel(Panel):
    """A strip of time, playback buttons, bookmarks, and the memory of the history."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        session, viewport = bench.session, bench.viewport
        self.session, self.history = session, session.history
        self.axis = Axis()
        self.requests = Requests(self.history.go)
        self.gallery = Gallery(
            lambda frame: viewport.thumbnail(frame, WIDTH, HEIGHT), lambda: deepcopy(viewport.tiles.all[0].look)
        )
        self.drawn = 0  # times the strip was drawn
        self._keys: list[tuple[float, str]] = []
        self._spots = Spots()
        self._spots_of: tuple[object, ...] = ()  # their sources, by identity
        self._held: list[Event | Bookmark] = []
        self._visible = self._in_view = False
        self._hovered: tuple[list[Spot], float] | None = None
        self._way = 0  # steps of the way to where it is going
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self._picture_turn = session.frame_budget.new_turn(PICTURE_INTERVAL)
        self._late, self._rest, self._develop = QTimer(self), QTimer(self), QTimer(self)
        self.view = TimeStripView(self.axis, self.gallery.picture)
        self.branches = BranchLanes(self.view.x_of)
        self.bookmarks = BookmarkList()
        self.card = HoverCard(self)
        self.controls, self.legend = TimeControls(), TimeLegend(self.history, session.store)
        self.set_content(self._make_body())
        self._connect(viewport)
        self._take_camera_keys()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Leave the strip its part of a narrow dock."""
        super().resizeEvent(event)
        self.bookmarks.setFixedWidth(min(LIST_WIDE, int(LIST_SHARE * self.width())))

    def _take_camera_keys(self) -> None:
        """Show key cameras: time on the axis [s], and caption."""
        self._keys = self.session.part(CameraKeys).marks()
        self._spots_of = ()
        self._draw()

    # ---- widgets

    def _make_body(self) -> QWidget:
        times = vbox((self.view, 1), self.branches, spacing=2)
        middle = hbox((times, 1), self.bookmarks, spacing=6)
        self.bookmarks.hide()
        return holder(vbox(self.controls, (middle, 1), self.legend, margins=(8, 6, 8, 6), spacing=4))

    def _connect(self, viewport: Viewport) -> None:
        for timer, wait, act in (
            (self._late, LATE, self._draw),
            (self._rest, REST, self._want_pictures),
            (self._develop, DEVELOP, self._draw_picture),
        ):
            timer.setInterval(wait)
            timer.setSingleShot(timer is not self._develop)
            timer.timeout.connect(act)
        self.history.changed.connect(self._hear)
        self.session.part(CameraKeys).changed.connect(self._take_camera_keys)
        self.session.advanced.connect(self._arrive)
        self.session.paused_changed.connect(lambda paused: self._draw())
        self.session.model_loaded.connect(self._rebuild)
        self.dock.in_sight.connect(self._set_visible)
        viewport.camera_changed.connect(lambda: self._rest.start() if self._visible else None)
        self.view.scrubbed.connect(self._scrub)
        self.view.picked.connect(lambda spot: self._ask(spot.step))
        self.view.moved.connect(self.go)
        self.view.pointed.connect(self._point)
        self.view.changed.connect(self._draw)
        self.controls.moved.connect(self.go)
        self.controls.toggled.connect(self.toggle)
        self.controls.marked.connect(lambda: mark_here(self.session))
        self.controls.continued.connect(self._go_on)
        self.legend.changed.connect(self._draw)
        self.legend.all_wanted.connect(self._show_all)
        self.bookmarks.chosen.connect(lambda step: self._ask(step))
        self.bookmarks.renamed.connect(self.history.rename)
        self.bookmarks.removed.connect(self.history.unmark)
        self.branches.chosen.connect(self._return_to)
        self.branches.renamed.connect(self.history.name_branch)
        self.branches.removed.connect(self.history.drop_branch)

    # ---- session signals

    def _hear(self) -> None:
        """The history changed."""
        if self._visible:
            drawn = self.drawn
            self._in_turn.take(self._draw)
            if self.drawn == drawn and not self._late.isActive():
                self._late.start()

    def _arrive(self) -> None:
        """A snapshot arrived: perhaps of the requested moment."""
        if self.requests.aim is not None and self.session.is_obeyed and self.history.target is None:
            self.requests.arrived()
            self._hear()

    def _rebuild(self) -> None:
        """Another model: other moments."""
        self.requests.forget()
        self.gallery.clear()
        self.axis.show_all()
        self._draw()

    def _set_visible(self, visible: bool) -> None:
        if visible == self._visible:
            return
        self._visible = visible
        if visible:
            self._draw()
            return
        self._point([], math.nan)
        for timer in (self._late, self._rest, self._develop):
            timer.stop()

    # ---- drawing

    def _draw(self) -> None:
        """Show where the simulation is in its time."""
        if not self._visible:
            return
        self._late.stop()
        self.drawn += 1
        history, axis, timestep = self.history, self.axis, self._timestep
        first, now, end = (step * timestep for step in (history.first, history.now, history.end))
        branches = history.branches
        axis.set_bounds(first, end, timestep, max((branch.end * timestep for branch in branches), default=end))
        if history.playing and self._in_view:
            axis.reveal(now)
        self._in_view = axis.start <= now <= axis.stop
        loaded, paused, shown = self.session.model is not None, self.session.paused, self._present_spots()
        self.view.show_line(ShownTimes(shown, first, now, end, self._aim(), stand(history, paused, loaded)[0].value))
        self.controls.show_history(history, paused, loaded, self._leads)
        self.legend.all.setEnabled(not axis.whole)
        self.branches.show_branches(branches, timestep)
        self.bookmarks.show_bookmarks(history.bookmarks, timestep)
        self.bookmarks.setVisible(bool(history.bookmarks))
        if self._hovered is not None:
            self._show_card()
        self._want_pictures()

    def _present_spots(self) -> Spots:
        """Contents of the view; rebuilt only when a part changed."""
        events, marks = self.history.events, self.history.bookmarks
        held: list[Event | Bookmark] = [*events[:1], *events[-1:], *marks]
        of = (*map(id, held), len(events), self.legend.hidden, self._timestep)
        if of != self._spots_of:
            self._held = held  # so that no other object can have their identity
            self._spots = spots(events, marks, self._keys, self.legend.hidden, self._timestep)
            self._spots_of = of
            self.legend.count(events)
        return self._spots

    def _aim(self) -> tuple[float, float] | None:
        """Aim [s], and the share of the way that is done."""
        aim = self.requests.aim if self.history.target is None else self.history.target
        if aim is None:
            self._way = 0
            return None
        left = abs(aim - self.history.now)
        self._way = max(self._way, left, 1)
        return aim * self._timestep, 1.0 - left / self._way

    # ---- pictures

    def _want_pictures(self) -> None:
        """Request the missing pictures in view, that of the card first."""
        if not self._visible:
            return
        hovered = [spot for spot in (self._hovered[0] if self._hovered is not None else ()) if spot.frame is not None][:1]
        wanted = [spot.frame for spot in (*hovered, *(spot for spot, _ in self.view.placed)) if spot.frame is not None]
        self.gallery.want(wanted, again=not self._rest.isActive())
        if self.gallery.waiting and not self._develop.isActive():
            self._develop.start()

    def _draw_picture(self) -> None:
        """Draw a picture, if there is time for one in this frame."""
        if not self.gallery.waiting:
            self._develop.stop()
            return
        drawn = self.gallery.drawn
        self._picture_turn.take(self.gallery.draw_next)
        if self.gallery.drawn > drawn:
            self.view.update()
            if self._hovered is not None:
                self._show_card()

    def _point(self, found: list[Spot], time: float) -> None:
        """The mouse is at a moment, and at these spots; nan: it is elsewhere."""
        self._hovered = None if math.isnan(time) else (found, time)
        if self._hovered is None:
            self.card.hide()
            return
        self._show_card()
        self._want_pictures()

    def _show_card(self) -> None:
        """Describe the spots under the mouse, with a picture of the moment."""
        assert self._hovered is not None
        hovered, time = self._hovered
        history = self.history
        if self.session.model is None:
            return
        at = hovered[0].time if hovered else time
        frame: Frame | None = next((spot.frame for spot in hovered if spot.frame is not None), None)
        image: QImage | None = self.gallery.picture(frame) if frame is not None else None
        where = QPoint(self.view.mapToGlobal(QPoint(round(self.view.x_of(at)), 0)).x(), self.dock.mapToGlobal(QPoint()).y())
        lines = spot_lines(hovered, history.timestep) if hovered else [empty_line(time, history)]
        self.card.show_at(where, image, lines)

    # ---- user input

    def _at(self) -> int:
        """The present step, or the one reached once all requests are done."""
        aim, history = self.requests.aim, self.history
        return aim if aim is not None else history.now if history.target is None else history.target

    @property
    def _timestep(self) -> float:
        """Time step of the model [s], or a default without one."""
        return self.history.timestep or 1e-3

    def _leads(self, move: Move) -> bool:
        """True if a move leads anywhere: forward always does."""
        history = self.history
        return move is Move.FORWARD or goal(move, self._at(), history.first, history.end, self._spots) is not None

    def _ask(self, step: int, *, reveal: bool = True) -> None:
        """Go to a step; reveal: have it in view."""
        if self.session.model is None:
            return
        history = self.history
        step = min(max(step, history.first), history.end)
        if step != self._at() or history.playing or not self.session.paused:
            self.requests.ask(step)
            if reveal:
                self.axis.reveal(step * history.timestep)
            self._draw()

    def _scrub(self, time: float) -> None:
        self._ask(round(time / self._timestep), reveal=False)  # the strip moves by itself where the mouse leaves it

    def go(self, move: Move) -> None:
        """Go where a button or key leads; a step forward from the end simulates."""
        history, at = self.history, self._at()
        step = goal(move, at, history.first, history.end, self._present_spots())
        if step is not None:
            self._ask(step)
        elif move is Move.FORWARD and history.now >= history.end and at == history.now:
            self.session.step()

    def toggle(self) -> None:
        """Pause, or play: the history as recorded, live from its end on."""
        self.requests.forget()
        if self.history.playing or not self.session.paused:
            self.session.set_paused(True)
        elif self.history.now < self.history.end:
            self.history.play()
        else:
            self.session.set_paused(False)

    def _go_on(self) -> None:
        self.requests.forget()
        self.history.go_on()

    def _return_to(self, number: int) -> None:
        self.requests.forget()
        self.history.return_to(number)

    def _show_all(self) -> None:
        self.axis.show_all()
        self._draw()

"""The collision panel: two geoms, why they collide or not, and the search for their distance step by step."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from msgspec.structs import replace
from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSlider,
    QStackedWidget,
    QTabBar,
    QWidget,
)

from tumble.app.describe.collision import PairWords, numbers
from tumble.app.describe.contacts import Names
from tumble.app.editing.edits import Edits
from tumble.app.look import theme
from tumble.app.panels.collision.difference_picture import DifferencePicture
from tumble.app.panels.collision.look import FIRST, SECOND, CollisionLook, Seen, moment_of, sketch
from tumble.app.session.requests import AskPair, Request, Show
from tumble.app.viewport.figures import Drawing
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_label, make_splitter, make_tabs, present, vbox
from tumble.app.widgets.live_field import SearchCombo
from tumble.app.widgets.pair_times import TimesPage
from tumble.app.widgets.plot import CountAxis, make_plot
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.physics.observe.collision_steps import SearchKind
from tumble.render.camera import look_at

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.observe.collision_record import CollisionRecord
    from tumble.physics.observe.collision_steps import CollisionStep


class GeomCombo(SearchCombo):
    """chosen: the user has chosen a geom."""

    chosen = pyqtSignal(int)

    def __init__(self, hint: str) -> None:
        super().__init__(hint, "A geom; type to search")
        edit = present(self.lineEdit())
        edit.setPlaceholderText(hint)
        edit.editingFinished.connect(self._settle)
        self.activated.connect(lambda at: self.chosen.emit(at))
        self._settled = -1

    def offer(self, names: Sequence[str]) -> None:
        """Offer these geoms, and choose none."""
        with QSignalBlocker(self):
            self.clear()
            self.addItems(names)
        self.show_geom(-1)
        self.show_ink("")

    def show_geom(self, geom: int) -> None:
        """Show which geom is chosen, without telling; -1: none."""
        self._settled = geom
        with QSignalBlocker(self):
            self.setCurrentIndex(geom)
            if geom < 0:
                self.clearEditText()
        self._show_start()

    def _show_start(self) -> None:
        """Show the beginning of a long name; the tool tip has all of it."""
        edit = present(self.lineEdit())
        if not edit.hasFocus():
            edit.setCursorPosition(0)
        name = self.currentText()
        self.setToolTip(f"{name}: type to search for another geom" if name else "A geom; type to search")

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        super().resizeEvent(event)
        self._show_start()

    def show_ink(self, ink: str) -> None:
        """Show the colour (#rrggbb) in which points on the geom are drawn; "": none is chosen."""
        self.setStyleSheet(f"QComboBox {{ border-left: 4px solid {theme.shown(ink)} }}" if ink else "")

    def _settle(self) -> None:
        """Choose the typed name, or show the present choice again."""
        at = self.findText(self.currentText(), Qt.MatchFlag.MatchFixedString)
        if at >= 0 and at != self._settled and at != self.currentIndex():
            self.show_geom(at)
            self.chosen.emit(at)
        elif at < 0:
            self.show_geom(self._settled)


LOW = 150  # least useful height of the table of numbers [px]; it scrolls
WIDE, NARROW = 610, 430  # pixels: from the first the answer is left of the steps; below the second all is in one column
CLOSE = 7.0  # radii of the smaller geom from which it is seen well
INTERVAL = 0.5  # wall time between two looks while the simulation runs [s]
HINT = (
    "Choose two geoms here; or double click one in the view, then Shift + double click the other; or choose a contact.<br>"
    "The answer says whether they collide, and what keeps them apart."
)
OF_FLEXES = (
    "<br>A flex is not among them: it collides by its elements, with every geom whose masks meet its own, but for elements "
    "of which a vertex belongs to the geom's body."
)


def hint(model: MjModel) -> str:
    """Placeholder text while no pair of geoms is selected."""
    return HINT + OF_FLEXES if model.nflex else HINT


class CollisionPanel(Panel):
    """Two geoms, sentences about them, a slider over the steps, numbers, bounds, and the Minkowski difference."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self.session = session = bench.session
        self._view = bench.viewport
        self._drawing = session.part(Drawing)
        self._in_turn = session.frame_budget.new_turn(INTERVAL)
        self._names: list[str] = []
        self._seen: Seen | None = None
        self._live = False
        self.look = CollisionLook(session, self)
        self.first, self.second = GeomCombo("First geom"), GeomCombo("Second geom")
        self.answer_text = QLabel(HINT)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Step of the search")
        self.picture = DifferencePicture()
        self.picture.setAccessibleName("Minkowski difference of both geoms")
        self.picture.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.times = TimesPage(session)
        self._lay_out()
        for combo in (self.first, self.second):
            combo.chosen.connect(lambda geom: self._choose(self.first.currentIndex(), self.second.currentIndex()))
        self.slider.valueChanged.connect(lambda at: self._show_step())
        self.times.chosen.connect(self._choose)
        self.look.seen.connect(self._show)
        self.look.failed.connect(self._show_failure)
        session.model_loaded.connect(self.catch_up)
        session.contact_choice.changed.connect(self._follow_choice)
        session.advanced.connect(self._advance)
        session.part(Edits).settled.connect(self._look_again)
        dock.in_sight.connect(self._set_live)

    # ---- its parts

    def _lay_out(self) -> None:
        self._halves = make_splitter(Qt.Orientation.Horizontal, (self._make_answer(), 1, 360), (self._make_pages(), 1, 760))
        self._halves.setMinimumWidth(260)
        self.set_content(self._halves)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Put parts below each other where there is too little room for them side by side."""
        super().resizeEvent(event)
        wide, narrow = self.width() >= WIDE, self.width() < NARROW
        if wide != (self._halves.orientation() == Qt.Orientation.Horizontal):
            self._halves.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
            self._halves.setSizes([360, 760])
        if narrow != (self._parts.direction() == QBoxLayout.Direction.TopToBottom):
            self._parts.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
            self._heads.setDirection(self._parts.direction())

    def _make_answer(self) -> QWidget:
        self.first.setObjectName("first")
        self.second.setObjectName("second")
        self.answer_text.setWordWrap(True)
        self.answer_text.setTextFormat(Qt.TextFormat.RichText)
        self.answer_text.setAlignment(Qt.AlignmentFlag.AlignTop)
        flags = Qt.TextInteractionFlag
        self.answer_text.setTextInteractionFlags(flags.TextSelectableByMouse | flags.LinksAccessibleByMouse)
        self.answer_text.linkActivated.connect(lambda link: self.session.ask(Show(link)))
        self.answer_text.setContentsMargins(2, 2, 8, 4)
        part = QWidget()
        part.setMinimumSize(200, 90)
        head = hbox((self.first, 1), (self.second, 1))
        vbox(head, (_scrolled(self.answer_text, 0), 1), margins=(8, 8, 6, 6), spacing=6, inside=part)
        return part

    def _make_pages(self) -> QWidget:
        """Pages for the search steps and the profile: controls of one page are in the line of the tabs, to save height."""
        self.pages = QTabBar()
        self.pages.setDrawBase(False)
        self.pages.setExpanding(False)
        self.pages.setUsesScrollButtons(False)
        heads, bodies = QStackedWidget(), QStackedWidget()
        heads.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        for title, tip, head, body in (
            ("Steps", "The search for the distance, step by step", self._make_scrubber(), self._make_steps()),
            ("Times", "How long each pair of geoms takes", self.times.head, self.times),
        ):
            self.pages.setTabToolTip(self.pages.addTab(title), tip)
            heads.addWidget(head)
            bodies.addWidget(body)
        self.pages.currentChanged.connect(heads.setCurrentIndex)
        self.pages.currentChanged.connect(bodies.setCurrentIndex)
        part = QWidget()
        part.setMinimumHeight(LOW)
        self._heads = hbox(self.pages, (heads, 1), spacing=6)
        vbox(self._heads, (bodies, 1), margins=(6, 8, 8, 6), spacing=6, inside=part)
        return part

    def _make_scrubber(self) -> QWidget:
        self.slider.setToolTip("Step through the search: arrow keys, Home, End. The view shows the points of each step")
        self.slider.setPageStep(1)
        self.slider.setEnabled(False)
        self.back, self.on = QPushButton("<"), QPushButton(">")
        for button, way, tip in ((self.back, -1, "The previous step"), (self.on, 1, "The next step")):
            button.setToolTip(tip)
            button.setFixedWidth(30)
            button.setStyleSheet("padding: 4px 0px")
            button.clicked.connect(lambda checked, way=way: self.slider.setValue(self.slider.value() + way))
        self.place = make_label(ink="dim", font=theme.mono(8))
        self.centre = make_button(
            "Centre", "Bring the camera to the points", self._centre, style="padding: 4px 8px", enabled=False
        )
        return holder(hbox(self.back, (self.slider, 1), self.on, self.place, self.centre, margins=(0, 0, 0, 0), spacing=6))

    def _make_steps(self) -> QWidget:
        self.table = make_label(wrap=True, font=theme.sans(8.5))
        self.table.setTextFormat(Qt.TextFormat.RichText)
        self.table.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.table.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pictures = make_tabs((self.picture, "Difference", ""), (self._make_plot(), "Bounds", ""))
        self.pictures.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)  # the table sets the height
        self._parts = hbox((_scrolled(self.table, 200), 1), (self.pictures, 1), margins=(0, 0, 0, 0), spacing=6)
        return holder(self._parts)

    def _make_plot(self) -> pg.PlotWidget:
        self.plot = make_plot("distance [m]", "step", count=CountAxis())
        self.plot.setToolTip("Bounds of the signed distance after each step; negative: depth")
        self._low, self._high = (
            self.plot.plot(pen=pg.mkPen(theme.colour(ink), width=1.6), connect="finite") for ink in ("good", "accent")
        )
        self._here = pg.InfiniteLine(angle=90, pen=pg.mkPen(theme.colour("text"), width=1))
        self.plot.addItem(self._here, ignoreBounds=True)
        return self.plot

    # ---- session signals

    def catch_up(self) -> None:
        """Show the loaded model, or that there is none."""
        model = self.session.model
        self._names = Names(model).geoms if model is not None else []
        self.look.forget()
        self._seen = None
        for combo in (self.first, self.second):
            combo.offer(self._names)
        self._show_nothing(hint(model) if model is not None else escape(self.session.absence))
        self._follow_choice()

    def answer(self, request: Request) -> None:
        """Ask about two geoms, or offer the choice of those that are not given."""
        super().answer(request)
        if not isinstance(request, AskPair) or self.session.model is None:
            return
        first, second = request.first, request.second
        if first < 0 and self.session.selection > 0 and self.session.contact_choice.pair is None:
            own = np.flatnonzero(np.asarray(self.session.model.geom_bodyid) == self.session.selection)
            first = int(own[0]) if len(own) else -1
        if first >= 0:
            self._choose(first, second)
        missing = self.first if self.first.currentIndex() < 0 else self.second
        (missing if missing.currentIndex() < 0 else self.slider).setFocus()

    def _choose(self, first: int, second: int) -> None:
        """The user wants these two geoms; -1: not chosen yet."""
        self.first.show_geom(first)
        self.second.show_geom(second)
        session = self.session
        if session.model is None or session.snapshot is None:
            return
        if first < 0 or second < 0 or first == second:
            self.look.forget()
            self._show_nothing(hint(session.model) if first != second else "Choose two different geoms.")
            return
        types = np.asarray(session.model.geom_type)
        pair = (first, second) if (types[first], first) <= (types[second], second) else (second, first)
        touching = {(int(a), int(b)) for a, b in session.snapshot.contact("geom")}
        session.contact_choice.choose_pair(pair if pair in touching else _turned(pair, touching), session.model, session.snapshot)

    def _follow_choice(self) -> None:
        """Look at the chosen contact or pair."""
        pair = self.session.contact_choice.pair
        if pair is None or min(pair) < 0:
            return
        shown = {self.first.currentIndex(), self.second.currentIndex()}
        if shown != set(pair):
            self.first.show_geom(pair[0])
            self.second.show_geom(pair[1])
        self._look_again()

    def _set_live(self, visible: bool) -> None:
        if visible == self._live:
            return
        self._live = visible
        if visible:
            self._look_again()
        else:
            self.look.forget()
            self._drawing.clear()

    def _advance(self) -> None:
        if self._live and self._seen is not None:
            self._draw()
            self._in_turn.take(self._look_if_moved)

    def _look_if_moved(self) -> None:
        """Look again after motion, unless an earlier step is displayed."""
        snapshot, seen = self.session.snapshot, self._seen
        at_end = self.slider.value() == self.slider.maximum()
        if seen is None or snapshot is None or self.look.busy or not (at_end or self.session.paused):
            return
        if moment_of(snapshot) != seen.moment:
            self._look_again()

    def _look_again(self) -> None:
        pair = self.session.contact_choice.pair
        if self._live and pair is not None and min(pair) >= 0:
            self.look.take(pair)

    # ---- results

    def _show(self, seen: Seen) -> None:
        before, steps = self._seen, len(seen.check.record.steps)
        another = before is None or {before.check.geom1, before.check.geom2} != {seen.check.geom1, seen.check.geom2}
        at_end = another or self.slider.value() == self.slider.maximum()
        place = max(steps - 1, 0) if at_end else min(self.slider.value(), max(steps - 1, 0))
        self._seen = seen
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(steps - 1, 0))
            self.slider.setValue(place)
        for widget in (self.slider, self.back, self.on):
            widget.setEnabled(steps > 1)
        self.centre.setEnabled(True)
        self.answer_text.setText(_sentences(seen.words))
        inks = (FIRST, SECOND) if self.first.currentIndex() == seen.check.geom1 else (SECOND, FIRST)
        for combo, ink in zip((self.first, self.second), inks, strict=True):
            combo.show_ink(ink)
        self._plot_bounds(seen.check.record)
        self._show_step()

    def _show_failure(self, why: str) -> None:
        self._seen = None
        self._show_nothing(escape(why))

    def _show_nothing(self, text: str) -> None:
        self._seen = None
        self.answer_text.setText(text)
        self.table.setText("")
        self.place.setText("")
        for widget in (self.slider, self.back, self.on, self.centre):
            widget.setEnabled(False)
        for curve in (self._low, self._high):
            curve.setData([], [])
        self.picture.show_step(None, None)
        self._drawing.clear()

    def _plot_bounds(self, record: CollisionRecord) -> None:
        searched = [step for step in record.steps if step.kind is not SearchKind.CLIP]
        bounds = np.array([(step.low, step.high) for step in searched]).reshape(-1, 2)
        bounds[~np.isfinite(bounds)] = np.nan
        for curve, values in ((self._low, bounds[:, 0]), (self._high, bounds[:, 1])):
            curve.setData(np.arange(1, len(values) + 1), values)

    def _step(self) -> CollisionStep | None:
        """The step at the slider; None without steps."""
        steps = () if self._seen is None else self._seen.check.record.steps
        return steps[self.slider.value()] if self.slider.value() < len(steps) else None

    def _show_step(self) -> None:
        if self._seen is None:
            return
        record, step = self._seen.check.record, self._step()
        self.place.setText("" if step is None else f"{self.slider.value() + 1}/{len(record.steps)}")
        rows = "".join(
            f'<tr><td style="color:{theme.colours()["dim"]}">{escape(name)}&nbsp;&nbsp;</td><td>{escape(value)}</td></tr>'
            for name, value in numbers(record, step)
        )
        self.table.setText(f"<table>{rows}</table>")
        self._here.setValue(self.slider.value() + 1)
        self.picture.show_step(record, step)
        self._draw()

    def _centre(self) -> None:
        """Move the camera to the middle between the points of the step, near enough for the smaller geom."""
        model = self.session.model
        if self._seen is None or model is None:
            return
        step, record = self._step(), self._seen.check.record
        ends = (record.point1, record.point2) if step is None else (step.point1, step.point2)
        middle = 0.5 * (ends[0] + ends[1])
        if np.isfinite(middle).all():
            camera, size = self._view.camera, np.asarray(model.geom_rbound)[[record.geom1, record.geom2]]
            near = CLOSE * float(size[size > 0].min(initial=np.inf))
            self._view.set_camera(replace(look_at(camera, middle), distance=min(camera.distance, near)))

    def _draw(self) -> None:
        """Draw the step over the view, as long as that shows the moment of the look."""
        snapshot, seen = self.session.snapshot, self._seen
        if not self._live or seen is None or snapshot is None or moment_of(snapshot) != seen.moment:
            self._drawing.clear()
        else:
            self._drawing.show(sketch(seen.check.record, self._step()))


def _scrolled(text: QLabel, width: int) -> QScrollArea:
    """A text that scrolls where there is too little room for it; width: its least."""
    area = SteadyScrollArea(text)
    area.setMinimumWidth(width)
    return area


def _turned(pair: tuple[int, int], touching: set[tuple[int, int]]) -> tuple[int, int]:
    """The pair as its contacts name it."""
    return (pair[1], pair[0]) if (pair[1], pair[0]) in touching else pair


def _sentences(words: PairWords) -> str:
    """The answer as rich text: whether they collide, why not, remedies, and notes."""
    dim, good, warn = (theme.colours()[ink] for ink in ("dim", "good", "warn"))
    ink, link = (warn, "") if words.check.reasons else (good, ' <a href="contacts">Contacts</a>')
    parts = [f'<p style="color:{ink}"><b>{escape(words.headline())}</b>{link}</p>']
    for sentence in words.reasons():
        cure = f'<br><span style="color:{dim}">\N{RIGHTWARDS ARROW} {escape(sentence.cure)}</span>' if sentence.cure else ""
        parts.append(f"<p>{escape(sentence.text)}{cure}</p>")
    parts += [f'<p style="color:{dim}">{escape(note)}</p>' for note in words.notes()]
    return "".join(parts)

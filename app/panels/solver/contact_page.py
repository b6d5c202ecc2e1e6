"""The page of the solver dock on one contact: its primal and dual problem, the iterates on them, and their costs."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pyqtgraph as pg
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QWidget

from tumble.app.base.background import Background
from tumble.app.describe.numbers import moment
from tumble.app.look import theme
from tumble.app.panels.solver.contact_sections import (
    LONGEST,
    ContactPicture,
    SectionAxes,
    SectionChoice,
    SectionKind,
    costs_above,
    iterate_text,
    make_pictures,
)
from tumble.app.panels.solver.contact_solves import (
    SOLVERS,
    ContactSolves,
    ContactTarget,
    HeldStep,
    ShownStep,
    StepHold,
    solve_contact,
)
from tumble.app.panels.solver.section_plot import ALLOWED_INKS, MARKS, ZONE_INKS, SectionPlot, solver_ink
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.plot import CountAxis, make_plot
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.physics.errors import PhysicsError

AGAIN, SHARE = 0.3, 4.0  # between two steps that are solved while time runs: wall time at least [s], and times what the last took
NARROW = 640  # pixels below which the plots lie one under the other
HINT = "Click an iterate: its numbers are shown here, and the sections go through it"
PREPARING = "Solving this step\N{HORIZONTAL ELLIPSIS}"


class ContactPage(QWidget):
    """Solves held steps in the background, one at a time, while it is in front. wanted: the next step is to be held."""

    wanted = pyqtSignal()

    def __init__(self, name_of: Callable[[tuple[int, int]], str]) -> None:
        """name_of: name of two geoms."""
        super().__init__()
        self._name_of = name_of
        self._background = Background("contact solves", self)
        self._run = 0
        self._working = False
        self._ended = -AGAIN
        self._step = HeldStep()
        self._target: ContactTarget | None = None
        self.picture: ContactPicture | None = None
        self.through: tuple[int, int] | None = None
        self._make_head()
        self.primal = SectionPlot(ZONE_INKS, "Primal cost over the acceleration of the contact")
        self.dual = SectionPlot(ALLOWED_INKS, "Dual cost over the force of the contact")
        self._make_costs()
        self.titles = [make_label(font=theme.sans(8.5)) for _ in range(3)]
        self.titles[2].setText("<b>Costs</b>&nbsp; of each iterate; dashes: the dual's")
        columns = [
            holder(vbox(title, (plot, 1), margins=(0, 0, 0, 0), spacing=1))
            for title, plot in zip(self.titles, (self.primal, self.dual, self.costs), strict=True)
        ]
        for column in columns:
            column.setMinimumWidth(120)
        self.splitter = make_splitter(Qt.Orientation.Horizontal, *((column, 3 - k // 2, 400 - 120 * (k // 2)) for k, column in enumerate(columns)))
        self.splitter.setMinimumWidth(260)
        self.told = ElidedLabel(HINT)
        self.told.setProperty("dim", True)
        self.empty = make_label(wrap=True, name="Why no contact is shown")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setObjectName("empty")
        bottom = hbox((self.told, 1), self.solution, margins=(0, 0, 0, 0), spacing=8)
        self._column = vbox(self.tools, (self.splitter, 1), (self.empty, 1), bottom, margins=(8, 4, 8, 4), spacing=4, inside=self)
        self.take_head()
        for plot in (self.primal, self.dual):
            plot.picked.connect(self.choose)
        self._show_none("")

    def _make_head(self) -> None:
        self.name = ElidedLabel("")
        self.head = holder(hbox((self.name, 1), margins=(0, 0, 0, 0)))
        self.axes = CalmCombo("Section", "Directions of the two sections", ((axes.value, axes) for axes in SectionAxes))
        self.kind = CalmCombo("Cost", "", ((kind.value, kind) for kind in SectionKind))
        self.kind.setToolTip(
            "Cost of the step: what Newton and CG minimize. Penalty of the contact: what it adds to that cost, "
            "with its cone and, dashed, with the other one"
        )
        self.warm = make_check("Warm start", toggled=lambda on: self._solve())
        self.warm.setToolTip("Start from the acceleration of the step before, as the step itself does, rather than without forces")
        self.shown = []
        for k, name in enumerate(SOLVERS):
            check = make_check(name, f"Show the iterates of {name}", on=True)
            check.setStyleSheet(f"color: {solver_ink(k).name()}")
            check.toggled.connect(lambda on, k=k: self._show_solver(k, on))
            self.shown.append(check)
        self.solution = make_button("Solution", "Sections through the solution again", lambda: self.choose(-1, -1))
        for low in (self.axes, self.kind, self.solution):
            low.setStyleSheet("min-height: 16px; padding: 1px 8px")
        for combo in (self.axes, self.kind):
            combo.currentIndexChanged.connect(lambda i: self._redraw())
        self.tools = holder(hbox(self.axes, self.kind, self.warm, None, *self.shown, margins=(0, 0, 0, 0), spacing=10))

    def _make_costs(self) -> None:
        self.costs = make_plot("above best", "iteration", log=True, count=CountAxis())
        self.costs.setAccessibleName("Costs of the iterates")
        self.primals, self.duals = [], []
        for k in range(len(SOLVERS)):
            pen = pg.mkPen(solver_ink(k), width=1.4)
            curve = self.costs.plot(pen=pen, symbol=MARKS[k], symbolSize=5, symbolBrush=solver_ink(k), symbolPen=None)
            curve.sigPointsClicked.connect(lambda item, points, k=k: self._pick(k, points))
            self.primals.append(curve)
            self.duals.append(self.costs.plot(pen=pg.mkPen(solver_ink(k), width=1.2, style=Qt.PenStyle.DashLine)))
        self._here = pg.InfiniteLine(angle=90, pen=pg.mkPen(theme.colour("accent"), width=1))
        self.costs.addItem(self._here, ignoreBounds=True)
        self._here.hide()

    def take_head(self) -> None:
        """Show the name of the contact above the plots, where there is no room for it elsewhere."""
        self._column.insertWidget(0, self.head)

    # ---- steps

    def show_step(self, shown: ShownStep, target: ContactTarget | None, paused: bool) -> None:
        """Solve a step that was held, or ask for the next; target: the chosen contact in the view's own step."""
        step = shown.step
        if step.again is not None and step.number != self._step.number:
            self._step, self._target = step, target
            self._solve()
        elif self._working:
            return
        elif paused:
            if shown.held != shown.serial or step.again is None:
                self.wanted.emit()
            elif not _same(target, self._target):
                self._target = target
                self._solve()
        elif monotonic() - self._ended > max(AGAIN, SHARE * (self.picture.solves.seconds if self.picture else 0.0)):
            self.wanted.emit()

    def forget(self, why: str = "") -> None:
        """Another model, or out of sight: what is at work comes to nothing."""
        self._run += 1
        self._step, self._target, self.through = HeldStep(), None, None
        self._show_none(why)

    def _solve(self) -> None:
        """Solve the step that is held; if one is being solved, then the result is followed by another."""
        step, target, warm = self._step, self._target, self.warm.isChecked()
        if step.again is None or self._working:
            return
        self._working = True
        self._run += 1
        run, choice = self._run, self._choice()

        def work() -> ContactPicture | str:
            solves = solve_contact(step, target, warm=warm)
            return solves if isinstance(solves, str) else make_pictures(solves, _fitting(choice, solves))

        self._background.run(
            work, lambda result: self._end(result, run, warm), lambda why: self._end(why, run, warm), (PhysicsError,)
        )

    def _end(self, result: ContactPicture | str, run: int, warm: bool) -> None:
        self._working, self._ended = False, monotonic()
        if run != self._run:
            return
        if isinstance(result, str):
            self._show_none(result[:1].upper() + result[1:])
        else:
            self._show(result)
        if warm != self.warm.isChecked():
            self._solve()

    def _choice(self) -> SectionChoice:
        return SectionChoice(self.axes.currentData(), self.kind.currentData(), self.through)

    def _redraw(self) -> None:
        """Make other pictures of the same step."""
        if self.picture is None or self._working:
            return
        self._working = True
        self._run += 1
        run, solves, choice = self._run, self.picture.solves, self._choice()
        warm = self.warm.isChecked()
        self._background.run(
            lambda: make_pictures(solves, choice), lambda result: self._end(result, run, warm), lambda why: self._end(why, run, warm)
        )

    # ---- display

    def _show(self, picture: ContactPicture) -> None:
        self.picture = picture
        solves = picture.solves
        self.through = picture.choice.through
        cone = "elliptic" if solves.problem.elliptic else "without friction" if solves.problem.dim == 1 else "pyramidal"
        which = "" if solves.chosen else "pressed hardest: "
        self.name.set_text(f"{which}{self._name_of(solves.geoms)}   {moment(solves.time)}   {cone}, condim {solves.problem.dim}")
        for plot, section, title in zip((self.primal, self.dual), (picture.primal, picture.dual), self.titles, strict=False):
            plot.show_picture(section)
            plot.choose(self.through)
            title.setText(f"<b>{section.title}</b>")
        self.titles[0].setText(f"<b>{picture.primal.title}</b>&nbsp; {picture.remark or 'above the best, contour by contour'}")
        self.titles[1].setText("<b>Dual cost</b>&nbsp; PGS: dots along the ray, lines in the slice")
        for curves, quantity in ((self.primals, "cost"), (self.duals, "dual")):
            for curve, values in zip(curves, costs_above(solves, quantity), strict=True):
                curve.setData(range(len(values)), values)
                if quantity == "cost":
                    curve.setSymbol(MARKS[curves.index(curve)] if len(values) <= LONGEST else None)
        self._tell()
        self._show_there(there=True)

    def _tell(self) -> None:
        picture, through = self.picture, self.through
        self._here.setVisible(through is not None)
        self.solution.setEnabled(through is not None)
        if picture is None or through is None:
            self.told.set_text(HINT)
            return
        self._here.setValue(float(through[1]))
        self.told.set_text(iterate_text(picture.solves, *through))

    def _show_none(self, why: str) -> None:
        self.picture = None
        self.empty.setText(why)
        self.name.set_text("")
        self.told.set_text("")
        self.primal.show_picture(None)
        self.dual.show_picture(None)
        self._show_there(there=False)

    def _show_there(self, *, there: bool) -> None:
        self.splitter.setVisible(there)
        self.tools.setVisible(there)
        self.solution.setVisible(there)
        self.empty.setVisible(not there)

    def _show_solver(self, solver: int, on: bool) -> None:
        for plot in (self.primal, self.dual):
            plot.show_solver(solver, on)
        self.primals[solver].setVisible(on)
        self.duals[solver].setVisible(on)

    # ---- the chosen iterate

    def choose(self, solver: int, iterate: int) -> None:
        """Have the sections go through an iterate; -1: through the solution."""
        self.through = (solver, iterate) if iterate >= 0 else None
        self._tell()
        for plot in (self.primal, self.dual):
            plot.choose(self.through)
        self._redraw()

    def _pick(self, solver: int, points: object) -> None:
        spots = list(points)  # type: ignore[call-overload]
        if spots:
            self.choose(solver, round(float(spots[0].pos().x())))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Plots next to each other where there is room."""
        super().resizeEvent(event)
        wanted = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != wanted:
            self.splitter.setOrientation(wanted)


def _same(one: ContactTarget | None, other: ContactTarget | None) -> bool:
    """True if two targets are one contact of one step."""
    if one is None or other is None:
        return one is other
    return one.geoms == other.geoms and bool((one.point == other.point).all())


def _fitting(choice: SectionChoice, solves: ContactSolves) -> SectionChoice:
    """The choice, through the solution if the step has no such iterate."""
    through = choice.through
    if through is None or through[1] < len(solves.paths[through[0]]):
        return choice
    return SectionChoice(choice.axes, choice.kind)

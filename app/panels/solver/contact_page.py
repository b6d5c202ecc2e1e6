"""The page of the solver dock on one contact: its primal and dual problem, the iterates on them, and their costs."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pyqtgraph as pg
from msgspec.structs import replace
from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QWidget

from tumble.app.base.background import Background
from tumble.app.describe.numbers import moment
from tumble.app.look import theme
from tumble.app.panels.solver.contact_sections import (
    ContactPicture,
    SectionAxes,
    SectionChoice,
    SectionKind,
    SectionPicture,
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
    solve_contact,
)
from tumble.app.panels.solver.section_view import ALLOWED_INKS, INKS, ZONE_INKS, SectionView
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, make_splitter, make_timer, vbox
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.plot import CountAxis, make_plot
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.physics.errors import PhysicsError

AGAIN, SHARE = 0.3, 4.0  # between two steps that are solved while time runs: wall time at least [s], and times what the last took
NARROW = 640  # pixels below which the plots lie one under the other
SETTLED = 80  # from the last change of the part in view to its computation [ms]
FEW = 40  # iterates up to which each has a mark in the plot of costs
MARKS = ("o", "t", "s")  # there, of each solver
PRIMAL_TIP = (
    "The cost that Newton and CG minimize, over the acceleration a of the contact less its reference aref, which is zero at the "
    "tip of the cone. Of all accelerations of the bodies that give the contact this one, the nearest to the one at the cross is "
    "taken. Contours: cost above the best"
)
DUAL_TIP = (
    "The cost that PGS minimizes, over the force of the contact; other forces stay. PGS moves an elliptic contact along the ray "
    "from the tip (dots), then in the slice at that normal force (line); a pyramid edge by edge. Contours: cost above the best"
)
COSTS_TIP = "Primal cost of each iterate above the lowest that any solver reached; dashed: the dual cost, likewise"
NUMBERS_TIP = (
    "Primal and dual cost above the best; their gap, zero in the solution; the scaled gradient; a \N{MINUS SIGN} aref and force "
    "of the contact: normal, tangents, torsion, rolling"
)
HINT = "Click an iterate: its numbers are shown here, and the sections go through it"


class ContactPage(QWidget):
    """Solves held steps in the background, one at a time, while it is in front. step_needed: the next step is to be held."""

    step_needed = pyqtSignal()

    def __init__(self, name_of: Callable[[tuple[int, int]], str]) -> None:
        """name_of: name of two geoms."""
        super().__init__()
        self._name_of = name_of
        self._background = Background("contact solves", self)
        self._run = 0
        self._working = False  # a step is being solved, or pictures are made
        self._asked = False  # a step is about to be held
        self._ended = -AGAIN
        self._step = HeldStep()
        self._target: ContactTarget | None = None
        self.picture: ContactPicture | None = None
        self.through: tuple[int, int] | None = None
        self._due = False  # another picture was asked for while one is made
        self._make_head()
        self._make_foot()
        self._make_legend()
        self.primal = SectionView(ZONE_INKS, "Primal cost over the acceleration of the contact")
        self.dual = SectionView(ALLOWED_INKS, "Dual cost over the force of the contact")
        self._make_costs()
        self.titles = [ElidedLabel(""), ElidedLabel("")]
        for title in self.titles:
            title.setFont(theme.sans(8.5))
        heads = (*self.titles, self.legend)
        columns = [
            holder(vbox(head, (plot, 1), margins=(0, 0, 0, 0), spacing=1))
            for head, plot in zip(heads, (self.primal, self.dual, self.costs), strict=True)
        ]
        parts = [(column, stretch, size) for column, stretch, size in zip(columns, (3, 3, 2), (400, 400, 270), strict=True)]
        self.splitter = make_splitter(Qt.Orientation.Horizontal, *parts)
        self.splitter.setMinimumWidth(260)
        self.empty = make_label(wrap=True, name="Why no contact is shown")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setObjectName("empty")
        self._column = vbox((self.splitter, 1), (self.empty, 1), self.foot, margins=(8, 4, 8, 4), spacing=3, inside=self)
        self.take_head()
        self._later = make_timer(self, self._redraw, SETTLED)
        for plot in self._sections:
            plot.picked.connect(self.choose)
            plot.reframed.connect(self._later.start)
        self._show_none("")

    @property
    def _sections(self) -> tuple[SectionView, SectionView]:
        return self.primal, self.dual

    def _make_head(self) -> None:
        self.name = ElidedLabel("")
        self.axes = CalmCombo("Section", "Directions of the two sections", ((axes.value, axes) for axes in SectionAxes))
        self.kind = CalmCombo("Cost", "", ((kind.value, kind) for kind in SectionKind))
        self.kind.setToolTip(
            "Cost of the step: what Newton and CG minimize. Penalty of the contact: what it adds to that cost, "
            "with its cone and, in violet, with the other one"
        )
        for combo in (self.axes, self.kind):
            combo.setStyleSheet("min-height: 16px; padding: 1px 8px")  # no higher than the tabs, next to which they are
            combo.setMinimumWidth(60)
            combo.setMaximumWidth(170)
            combo.currentIndexChanged.connect(lambda i: self._reset())
        self.head = holder(hbox((self.name, 1), self.axes, self.kind, margins=(0, 0, 0, 0), spacing=8))

    def _make_foot(self) -> None:
        self.numbers = ElidedLabel(HINT)
        self.numbers.setProperty("dim", True)
        self.warm = make_check("Warm start", toggled=lambda on: self._solve())
        self.warm.setToolTip("Start where the step before ended, as the step itself does, rather than without forces")
        self.solution = make_button("Solution", "Sections through the solution again", lambda: self.choose(-1, -1))
        self.solution.setStyleSheet("min-height: 16px; padding: 1px 8px")
        self.foot = holder(hbox((self.numbers, 1), self.warm, self.solution, margins=(0, 0, 0, 0), spacing=8))

    def _make_legend(self) -> None:
        title = make_label("Costs", font=theme.sans(8.5))
        title.setToolTip(COSTS_TIP)
        self.checks = []
        for k, name in enumerate(SOLVERS):
            check = make_check(name, f"Show the iterates of {name}", on=True)
            check.setStyleSheet(f"color: {theme.colours()[INKS[k]]}")
            check.setFont(theme.sans(8.5))
            check.toggled.connect(lambda on, k=k: self._show_solver(k, on))
            self.checks.append(check)
        self.legend = holder(hbox(title, *self.checks, None, margins=(0, 0, 0, 0), spacing=6))

    def _make_costs(self) -> None:
        self.costs = make_plot("", "", log=True, count=CountAxis())
        for side in ("left", "bottom"):
            self.costs.getPlotItem().showLabel(side, False)
        self.costs.getPlotItem().getAxis("left").setWidth(44)
        self.costs.setAccessibleName("Costs of the iterates")
        self.primals, self.duals = [], []
        for k in range(len(SOLVERS)):
            ink = theme.colour(INKS[k])
            curve = self.costs.plot(pen=pg.mkPen(ink, width=1.4), symbolSize=6, symbolBrush=ink, symbolPen=None)
            curve.sigPointsClicked.connect(lambda item, points, k=k: self._pick(k, points))
            self.primals.append(curve)
            self.duals.append(self.costs.plot(pen=pg.mkPen(ink, width=1.2, style=Qt.PenStyle.DashLine)))
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
        if not _same_geoms(target, self._target):
            self._show_whole()
        if step.number > self._step.number:
            self._step, self._target, self._asked = step, target, False
            if step.again is None:
                self._show_none(step.why)
            self._solve()
        elif self._working or self._asked:
            return
        elif paused:
            if shown.held != shown.serial:
                self._ask()
            elif not _same(target, self._target):
                self._target = target
                self._solve()
        elif monotonic() - self._ended > max(AGAIN, SHARE * (self.picture.solves.seconds if self.picture else 0.0)):
            self._ask()

    def _ask(self) -> None:
        self._asked = True
        self.step_needed.emit()

    def forget(self, why: str = "") -> None:
        """Another model, or out of sight: what is at work comes to nothing."""
        self._run += 1
        self._asked = False
        self._step, self._target, self.through = HeldStep(), None, None
        self._show_whole()
        self._show_none(why)

    def _solve(self) -> None:
        """Solve the step that is held; if one is being solved, then the result is followed by another."""
        step, target, warm = self._step, self._target, self.warm.isChecked()
        if step.again is None or self._working or self._asked:
            return
        if self.picture is None:
            self._show_none("Newton, CG and PGS solve the step")
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
            return  # of a model that is gone
        if isinstance(result, str):
            self._show_none(result[:1].upper() + result[1:])
        else:
            self._show(result)
        if warm != self.warm.isChecked():
            self._solve()
        elif self._due:
            self._redraw()

    def _choice(self) -> SectionChoice:
        sizes, boxes = (self.primal.pixels, self.dual.pixels), (self.primal.box, self.dual.box)
        return SectionChoice(self.axes.currentData(), self.kind.currentData(), self.through, sizes, boxes)

    def _reset(self) -> None:
        """Other directions, or another cost: all of it is shown."""
        self._show_whole()
        self._redraw()

    def _show_whole(self) -> None:
        for section in self._sections:
            section.box = None

    def _redraw(self) -> None:
        """Make other pictures of the same step, once the present ones are made."""
        if self.picture is None:
            return
        if self._working:
            self._due = True
            return
        self._working, self._due = True, False
        self._run += 1
        run, solves, choice = self._run, self.picture.solves, self._choice()
        warm = self.warm.isChecked()
        self._background.run(
            lambda: make_pictures(solves, choice),
            lambda result: self._end(result, run, warm),
            lambda why: self._end(why, run, warm),
        )

    # ---- display

    def _show(self, picture: ContactPicture) -> None:
        self.picture = picture
        solves, problem = picture.solves, picture.solves.problem
        self.through = picture.choice.through
        cone = "elliptic" if problem.elliptic else "without friction" if problem.dim == 1 else "pyramidal"
        name = f"{self._name_of(solves.geoms)}{'' if solves.chosen else ', pressed hardest'}"
        self.name.set_text(f"{name}   {moment(solves.time)}   {cone}, condim {problem.dim}")
        self.name.abbreviate(name)
        for view, section in zip(self._sections, (picture.primal, picture.dual), strict=True):
            view.show_picture(section)
            view.choose(self.through)
        first, second = picture.primal, picture.dual
        remark = f" ({picture.remark})" if picture.remark else ""
        over = f"{first.title} over a \N{MINUS SIGN} aref: {_axes_words(first)}{remark}"
        self.titles[0].set_text(over, f"{over}\n{PRIMAL_TIP}")
        self.titles[1].set_text(f"{second.title} over force: {_axes_words(second)}", DUAL_TIP)
        for curves, quantity in ((self.primals, "cost"), (self.duals, "dual")):
            for k, (curve, values) in enumerate(zip(curves, costs_above(solves, quantity), strict=True)):
                marked = quantity == "cost" and len(values) <= FEW
                curve.setData(range(len(values)), values, symbol=MARKS[k] if marked else None)
        self._show_numbers()
        self._show_there(there=True)

    def _show_numbers(self) -> None:
        picture, through = self.picture, self.through
        self._here.setVisible(through is not None)
        self.solution.setEnabled(through is not None)
        if picture is None or through is None:
            self.numbers.set_text(HINT)
            return
        self._here.setValue(float(through[1]))
        exact = iterate_text(picture.solves, *through, figures=10)
        self.numbers.set_text(iterate_text(picture.solves, *through), f"{exact}\n{NUMBERS_TIP}")

    def _show_none(self, why: str) -> None:
        self.picture = None
        self.empty.setText(why)
        self.name.set_text("")
        self.numbers.set_text("")
        for section in self._sections:
            section.show_picture(None)
        self._show_there(there=False)

    def _show_there(self, *, there: bool) -> None:
        self.splitter.setVisible(there)
        self.foot.setVisible(there)
        self.empty.setVisible(not there)

    def _show_solver(self, solver: int, on: bool) -> None:
        for section in self._sections:
            section.show_solver(solver, on)
        self.primals[solver].setVisible(on)
        self.duals[solver].setVisible(on)

    # ---- the chosen iterate

    def choose(self, solver: int, iterate: int) -> None:
        """Have the sections go through an iterate; -1: through the solution."""
        self.through = (solver, iterate) if iterate >= 0 else None
        self._show_numbers()
        for section in self._sections:
            section.choose(self.through)
        self._redraw()

    def _pick(self, solver: int, points: object) -> None:
        spots = list(points)  # type: ignore[call-overload]
        if spots:
            self.choose(solver, round(float(spots[0].pos().x())))

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Plots next to each other where there is room."""
        super().resizeEvent(event)
        orientation = Qt.Orientation.Vertical if self.width() < NARROW else Qt.Orientation.Horizontal
        if self.splitter.orientation() != orientation:
            self.splitter.setOrientation(orientation)


def _axes_words(section: SectionPicture) -> str:
    (across, up), (unit, other) = section.names, section.units
    if section.curve is not None:
        return f"{across} [{unit}]"
    return f"\N{RIGHTWARDS ARROW} {across}{'' if unit == other else f' [{unit}]'}, \N{UPWARDS ARROW} {up} [{other}]"


def _same_geoms(one: ContactTarget | None, other: ContactTarget | None) -> bool:
    return (None if one is None else one.geoms) == (None if other is None else other.geoms)


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
    return replace(choice, through=None)

"""The breakpoints panel: conditions that stop the simulation, the place of the stop, and the cause of a blow-up."""

from __future__ import annotations

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QKeyEvent, QMouseEvent
from PyQt6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.describe.expression import FUNCTIONS, ExpressionError
from tumble.app.describe.numbers import plain
from tumble.app.describe.subject import Subject
from tumble.app.look import theme
from tumble.app.panels.breakpoints.breakpoints import BLOWUP, Breakpoint, BreakpointHit, Breakpoints
from tumble.app.panels.breakpoints.conditions import PRESETS, Preset
from tumble.app.session.marking import mark
from tumble.app.session.requests import AskDoctor, ProposeStop, Request
from tumble.app.simulation.autopsy import Autopsy
from tumble.app.widgets.dock import Dock, Panel, Workbench
from tumble.app.widgets.layout import hbox, holder, make_button, make_check, make_label, present, vbox
from tumble.app.widgets.live_field import LiveSpinBox
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.tables import NUMBER, set_headings

_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class _Line(QLineEdit):
    """A text, editable after a double click or Enter. Enter commits, Escape reverts."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._text = text
        self.setFont(theme.mono(9))
        self.close_line()

    def open_line(self) -> None:
        """Make it editable."""
        self.setReadOnly(False)
        self.setFrame(True)
        self.setStyleSheet("")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocus()

    def close_line(self) -> None:
        """Make it read-only."""
        self.setReadOnly(True)
        self.setFrame(False)
        self.setStyleSheet("background: transparent; border-color: transparent;")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.clearFocus()
        self.deselect()
        self.setCursorPosition(0)

    def show_text(self, text: str) -> None:
        """Show a condition, unless one is being typed."""
        self._text = text
        if self.isReadOnly():
            self.setText(text)
            self.setCursorPosition(0)

    def mouseDoubleClickEvent(self, event: QMouseEvent | None) -> None:
        if self.isReadOnly():
            self.open_line()
            self.selectAll()
        else:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        if event is not None and self.isReadOnly() and event.key() in _OPENS:
            self.open_line()
            self.selectAll()
        elif event is not None and event.key() == Qt.Key.Key_Escape and not self.isReadOnly():
            self.setText(self._text)
            self.close_line()
        else:
            super().keyPressEvent(event)


class ConditionRow(QWidget):
    """switched: on or off; typed: another condition; removed: it is wanted no more."""

    switched = pyqtSignal(bool)
    typed = pyqtSignal(str)
    removed = pyqtSignal()

    def __init__(self, text: str) -> None:
        super().__init__()
        self.switch, self.line, self.reason = QCheckBox(), _Line(text), QLabel()
        self.switch.setAccessibleName(text)
        self.line.setAccessibleName("Condition")
        self.remove = QToolButton()
        self.remove.setAccessibleName("Remove this condition")
        self.remove.setIcon(theme.icon("close", "dim"))
        self.reason.setProperty("dim", True)
        self.reason.setWordWrap(True)
        self.reason.setContentsMargins(24, 0, 0, 2)
        row = hbox(self.switch, (self.line, 1), self.remove, margins=(0, 0, 0, 0))
        vbox(row, self.reason, margins=(0, 0, 0, 0), spacing=0, inside=self)
        self.switch.toggled.connect(self.switched)
        self.line.returnPressed.connect(lambda: self.typed.emit(self.line.text()) if not self.line.isReadOnly() else None)
        self.remove.clicked.connect(self.removed)

    def show_condition(self, text: str, on: bool, why: str) -> None:
        """Show a condition; why: it does not act in this model, "" if it does or would."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(on and not why)
        self.line.show_text(text)
        ink = theme.colours()["disabled" if why else "text"]
        if self.line.isReadOnly():
            self.line.setStyleSheet(f"background: transparent; border-color: transparent; color: {ink};")
        self.line.setToolTip(f"{text}: {why}" if why else f"Stop when {text} becomes true; double click or Enter to change it")
        self.remove.setToolTip(f"Remove {text}")
        self.reason.setText(why)
        self.reason.setVisible(bool(why))

    def accept(self) -> None:
        """Show that the typed condition is valid."""
        self.line.close_line()

    def refuse(self, at: int) -> None:
        """Mark an error in the typed condition, at a character."""
        self.line.setFocus()
        self.line.setCursorPosition(at)


HELP = (
    "Fields as in scripts, elements by name or number:\n"
    "    qpos[knee] > 1.2 and time > 1\n"
    "    max(efc_force) > 500\n"
    "    min(contact.dist) < -0.002\n"
    "    norm(xpos[torso]) > 3\n"
    f"+ - * / ^, < <= > >= == !=, and or not, {', '.join(FUNCTIONS)}"
)
_SUBJECT = Qt.ItemDataRole.UserRole + 1  # element of a row of the autopsy
COST = "While one is on, every step is checked: small, fast models run slower."
DECIMALS = 4  # of a limit, at most


class LimitBox(LiveSpinBox):
    """The limit of a breakpoint, with the decimals that its number needs: 10.0 mm/s, 0.25 mm."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(DECIMALS)

    def textFromValue(self, value: float) -> str:
        """The number, without its unit."""
        return plain(value, 1, DECIMALS)


class BreakpointsPanel(Panel):
    """Preset rows, a line to type a condition, the place of the stop, and the autopsy."""

    def __init__(self, dock: Dock, bench: Workbench) -> None:
        super().__init__(dock)
        self._session = session = bench.session
        self.breakpoints = breakpoints = session.part(Breakpoints)
        self.switches: dict[str, QCheckBox] = {}
        self.limits: dict[str, LiveSpinBox] = {}
        self.conditions: dict[str, ConditionRow] = {}
        self._column = vbox(margins=(10, 10, 10, 10), spacing=4)
        body = holder(self._column)
        self._lay_out_points()
        self._lay_out_finding()
        area = SteadyScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        body.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        area.setWidget(body)
        self.set_content(area)
        self.breakpoints.changed.connect(self._show_points)
        self.breakpoints.hit.connect(self._show_hit)
        self.breakpoints.passed.connect(lambda: self._box.hide())
        session.model_loaded.connect(self._forget)
        session.history.changed.connect(self._show_place)
        session.paused_changed.connect(lambda paused: self._show_buttons())
        self._forget()
        self._show_points()
        if breakpoints.last is not None:
            self._show_hit(breakpoints.last)

    def _lay_out_points(self) -> None:
        """The list, and the line to type another condition."""
        for preset in PRESETS:
            self._column.addWidget(self._preset_row(preset))
        tip = "Stop before a position, velocity or acceleration is huge or not a number; show which dof and constraint did it"
        self._column.addWidget(self._row(BLOWUP, "The state blows up", tip))
        self._typed = vbox(spacing=4)
        for point in self.breakpoints.points.values():
            if point.text:
                self._add_row(point)
        self._column.addLayout(self._typed)
        self._column.addLayout(self._entry())
        self.error = make_label(wrap=True)
        self.error.setStyleSheet(f"color: {theme.colours()['bad']}")
        self.error.hide()
        self._column.addWidget(self.error)
        self._note = make_label(COST, ink="dim", wrap=True)
        self._column.addWidget(self._note)

    def _lay_out_finding(self) -> None:
        """Build the rows of a stop and its autopsy."""
        self.why = make_button("Why did it blow up?", act=self.breakpoints.explain)
        self.why.setToolTip("Go back to before the state last blew up, and show the dof and constraint that caused it")
        self._session.history.changed.connect(self._show_why)
        self._column.addWidget(self.why)
        self._column.addWidget(self._place())
        self.report = make_label(wrap=True)
        self.doctor = make_button(
            "Doctor", "What is wrong with the model, and what would change it", lambda: self._session.ask(AskDoctor())
        )
        self.dofs = _table(("Dof", "Acceleration", "Velocity"))
        self.rows = _table(("Constraint", "Force", "Violation"))
        for table in (self.dofs, self.rows):
            table.currentItemChanged.connect(lambda item, before: self._mark_row(item))
            table.setToolTip("A row marks its contact or its body in the view")
        for widget in (self.report, self.dofs, self.rows, self.doctor):
            widget.hide()
            self._column.addWidget(widget)
        self._column.addStretch(1)

    # ---- rows

    def _preset_row(self, preset: Preset) -> QWidget:
        row = self._row(preset.key, preset.title, preset.tip)
        if preset.first is not None:
            limit = LimitBox()
            limit.setAccessibleName(f"{preset.title}: limit")
            limit.setRange(0.0, 1e9)
            limit.show_value(self.breakpoints.points[preset.key].limit or 0.0)
            limit.setStepType(LiveSpinBox.StepType.AdaptiveDecimalStepType)
            limit.setSuffix(f" {preset.unit}")
            limit.setToolTip(preset.tip)
            limit.setFixedWidth(104)
            limit.committed.connect(lambda value, key=preset.key: self.breakpoints.set_limit(key, value))
            self.limits[preset.key] = limit
            present(row.layout()).addWidget(limit)
        return row

    def _row(self, key: str, title: str, tip: str) -> QWidget:
        line = hbox(margins=(0, 0, 0, 0))
        row = holder(line)
        switch = make_check(title, tip, on=self.breakpoints.points[key].on, toggled=lambda on: self.breakpoints.set_on(key, on))
        switch.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.switches[key] = switch
        line.addWidget(switch, 1)
        return row

    def _entry(self) -> QHBoxLayout:
        self.text = QLineEdit()
        self.text.setAccessibleName("Condition")
        self.text.setPlaceholderText("When … e.g. max(efc_force) > 500")
        self.text.setToolTip(HELP)
        self.text.setFont(theme.mono(9))
        self.text.returnPressed.connect(self._add)
        self.text.textEdited.connect(lambda text: self.error.hide())
        self.add = make_button("Add", "Stop when this becomes true", self._add)
        return hbox((self.text, 1), self.add, margins=(0, 6, 0, 0))

    def _add(self) -> None:
        text = self.text.text()
        if not text.strip():
            return
        try:
            key = self.breakpoints.add(text)
        except ExpressionError as error:
            self.text.setFocus()
            self.text.setCursorPosition(error.at)
            self._show_error(f"At character {error.at + 1}: {error}")
            return
        self.text.clear()
        self._add_row(self.breakpoints.points[key])
        self._show_points()

    def answer(self, request: Request) -> None:
        """Offer a condition to stop at."""
        super().answer(request)
        if isinstance(request, ProposeStop):
            self.propose(request.text)

    def propose(self, text: str) -> None:
        """Put a condition where one is typed, for the user to complete."""
        self.text.setText(text)
        self.text.setFocus()

    def _add_row(self, point: Breakpoint) -> None:
        row = ConditionRow(point.text)
        row.switched.connect(lambda on: self.breakpoints.set_on(point.key, on))
        row.typed.connect(lambda text: self._change(point.key, text))
        row.removed.connect(lambda: self.breakpoints.remove(point.key))
        self.conditions[point.key] = row
        self._typed.addWidget(row)

    def _change(self, key: str, text: str) -> None:
        try:
            self.breakpoints.change(key, text)
        except ExpressionError as error:
            self.conditions[key].refuse(error.at)
            self._show_error(f"At character {error.at + 1}: {error}")
            return
        self.conditions[key].accept()
        self.error.hide()
        self._show_points()

    def _drop_row(self, key: str) -> None:
        row = self.conditions.pop(key)
        row.setParent(None)
        row.deleteLater()

    # ---- where it stands

    def _place(self) -> QWidget:
        box = QFrame()
        box.setObjectName("place")
        box.setStyleSheet(f"#place {{ background: {theme.colours()['field']}; border-radius: 5px; }}")
        self.place = make_label(wrap=True)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        line = hbox(spacing=4)
        self.back_buttons = {}
        for count in (100, 10, 1):
            button = make_button(
                f"\N{MINUS SIGN}{count}",
                act=lambda checked, count=count: self._session.history.back(count),
                style="padding: 5px 6px",
            )
            button.setToolTip(f"Go back {count} step{'s' if count > 1 else ''}, at most to the start of the history")
            self.back_buttons[count] = button
            line.addWidget(button)
        self.forward = make_button("+1", "Take one step", lambda: self._session.step(), style="padding: 5px 6px")
        self.go_on = make_button(
            "Continue", "Run to the next stop  (Space)", lambda: self._session.set_paused(False), style="padding: 5px 6px"
        )
        line.addWidget(self.forward)
        line.addStretch(1)
        line.addWidget(self.go_on)
        vbox(self.place, line, margins=(8, 8, 8, 8), inside=box)
        self._box = box
        return box

    def _show_why(self) -> None:
        self.why.setVisible(self._session.history.blown is not None)

    def _forget(self) -> None:
        """Discard the results of the previous model."""
        self._show_why()
        self._box.hide()
        for widget in (self.report, self.dofs, self.rows, self.doctor):
            widget.hide()

    def _show_hit(self, hit: BreakpointHit) -> None:
        self._write_place(hit, here=True)
        self._box.show()
        self._show_buttons()
        if hit.autopsy is not None:
            self._show_autopsy(hit, hit.autopsy)

    def _show_place(self) -> None:
        """Show the last stop, and if the simulation is still there."""
        hit, snapshot = self.breakpoints.last, self._session.snapshot
        if hit is not None and snapshot is not None and self._box.isVisibleTo(self):
            self._write_place(hit, here=self._session.paused and snapshot.time == hit.time)

    def _write_place(self, hit: BreakpointHit, *, here: bool) -> None:
        word = "Stopped at" if here else "Stopped last at"
        self.place.setText(f"<b>{word} {self.breakpoints.when(hit)}</b><br>{hit.text.replace('<', '&lt;')}")

    def _show_buttons(self) -> None:
        paused = self._session.paused
        self.go_on.setEnabled(paused)
        self.forward.setEnabled(paused)
        self._show_place()

    def _show_autopsy(self, hit: BreakpointHit, report: Autopsy) -> None:
        self.report.setText(f"The most violent dofs and constraints at {self.breakpoints.when(hit)}:")
        self.dofs.clear()
        for dof in report.dofs:
            item = _item((dof.name, f"{dof.qacc:.2e} {dof.units[0]}", f"{dof.qvel:.2e} {dof.units[1]}"))
            item.setData(0, _SUBJECT, dof.subject)
            item.setToolTip(0, f"{dof.name}: constraints push it with {dof.force:.4g}")
            self.dofs.addTopLevelItem(item)
        self.rows.clear()
        for row in report.rows:
            item = _item((row.name, f"{row.force:.4g}", f"{row.pos:.4g}"))
            item.setData(0, _SUBJECT, row.subject)
            self.rows.addTopLevelItem(item)
        if not report.rows:
            self.rows.addTopLevelItem(QTreeWidgetItem(["No constraint acted"]))
        for widget in (self.report, self.dofs, self.rows, self.doctor):
            widget.show()

    def _mark_row(self, item: QTreeWidgetItem | None) -> None:
        """Mark the element of an autopsy row in the view."""
        subject = None if item is None else item.data(0, _SUBJECT)
        if isinstance(subject, Subject):
            mark(self._session, subject)

    # ---- active conditions

    def _show_points(self) -> None:
        for key in [key for key in self.conditions if key not in self.breakpoints.points]:
            self._drop_row(key)  # from any caller
        for key, switch in self.switches.items():
            with QSignalBlocker(switch):
                switch.setChecked(self.breakpoints.points[key].on)
        for key, row in self.conditions.items():
            point = self.breakpoints.points[key]
            row.show_condition(point.text, point.on, self.breakpoints.idle.get(key, ""))

    def _show_error(self, text: str) -> None:
        self.error.setText(text)
        self.error.show()


def _table(headings: tuple[str, ...]) -> QTreeWidget:
    table = QTreeWidget()
    table.setAccessibleName(", ".join(headings))
    table.setRootIsDecorated(False)
    table.setMinimumHeight(170)
    table.setMinimumWidth(0)
    table.setFont(theme.sans(9))
    set_headings(table, headings)
    return table


def _item(texts: tuple[str, ...]) -> QTreeWidgetItem:
    item = QTreeWidgetItem(list(texts))
    item.setToolTip(0, texts[0])
    for k in range(1, len(texts)):
        item.setTextAlignment(k, NUMBER)
        item.setFont(k, theme.mono(8))
    return item

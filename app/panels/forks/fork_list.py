"""The list of forks with their errors, whose last row is for the next fork, and the form for the settings of the chosen one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from tumble.app.base.keys_in_text import with_keys
from tumble.app.look import theme
from tumble.app.panels.forks.forks import (
    CONE_CHOICES,
    INTEGRATOR_CHOICES,
    NUMBER_CHOICES,
    SAME,
    SOLVER_CHOICES,
    STEP_CHOICES,
    ForkChoice,
    ForkEntry,
)
from tumble.app.widgets.layout import hbox, holder, make_button, make_label
from tumble.app.widgets.live_field import CalmCombo
from tumble.app.widgets.slider_row import ElidedLabel
from tumble.app.widgets.tables import NUMBER, set_headings

NEXT = "Next fork"
NEXT_TIP = with_keys("These settings are for the fork that Fork now (Ctrl+D) makes")
CHOSEN_TIP = "A change restarts this fork from the present state; its last run stays, faint"


class ForkForm(QWidget):
    """The form, with buttons at its head that are the panel's to connect, and a note. edited: the user has chosen otherwise."""

    edited = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.heading = ElidedLabel("")
        self.heading.setFont(theme.sans(9, bold=True))
        self.go = make_button(
            "Fork now", with_keys(f"Continue the present state in a fork, with the settings of {NEXT}  (Ctrl+D)")
        )
        self.restart = make_button("Restart", "Restart all forks from the present state, each with its own settings")
        self._head = holder(hbox((self.heading, 1), self.restart, self.go, margins=(0, 0, 0, 0), spacing=5))
        self.note = make_label(wrap=True)
        self.solver = plain_box(SOLVER_CHOICES, "Solver of the fork")
        self.cone = plain_box(CONE_CHOICES, "Friction cone of the fork")
        self.integrator = plain_box(INTEGRATOR_CHOICES, "Integrator of the fork")
        self.step = plain_box(STEP_CHOICES, "Time step of the fork: a factor, or seconds")
        self.step.setEditable(True)
        self.step.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.solref, self.solimp = _line("solref"), _line("solimp")
        self.numbers = plain_box(NUMBER_CHOICES, "The model with or without the changes made in Parameters and Options")
        choices = {
            "Solver": self.solver, "Cone": self.cone, "Step": self.step, "Integrator": self.integrator,
            "solref": self.solref, "solimp": self.solimp, "Model": self.numbers,
        }  # fmt: skip
        self._choices: list[tuple[QLabel, QWidget]] = [(QLabel(text), choice) for text, choice in choices.items()]
        for label, _ in self._choices:
            label.setProperty("dim", True)
        for box in (self.solver, self.cone, self.integrator, self.step, self.numbers):
            box.activated.connect(lambda k: self.edited.emit())
        for line in (self.solref, self.solimp, self.step.lineEdit()):
            if line is not None:
                line.editingFinished.connect(self.edited)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(5)
        self.lay_out(2)

    def chosen(self) -> ForkChoice:
        """The user's choice."""
        return ForkChoice(
            self.solver.currentText(), self.cone.currentText(), self.integrator.currentText(), self.step.currentText(),
            self.solref.text(), self.solimp.text(), self.numbers.currentText(),
        )  # fmt: skip

    def show_next(self, choice: ForkChoice) -> None:
        """The settings of the next fork."""
        self.heading.set_text(NEXT, NEXT_TIP)
        self._show(choice)

    def show_fork(self, name: str, choice: ForkChoice) -> None:
        """The settings of a fork that there is."""
        self.heading.set_text(f"Fork: {name}", CHOSEN_TIP)
        self._show(choice)

    def _show(self, choice: ForkChoice) -> None:
        if choice == self.chosen():
            return  # the cursor stays where it is in a line
        for box, text in ((self.solver, choice.solver), (self.cone, choice.cone), (self.integrator, choice.integrator),
                          (self.numbers, choice.numbers)):  # fmt: skip
            box.setCurrentText(text)
        self.step.setEditText(choice.step)
        self.solref.setText(choice.solref)
        self.solimp.setText(choice.solimp)

    def lay_out(self, pairs: int) -> None:
        """Lay out the caption, then the choices, `pairs` to a row."""
        self._grid.addWidget(self._head, 0, 0, 1, 2 * pairs)
        self._grid.addWidget(self.note, 1, 0, 1, 2 * pairs)
        for k, (label, choice) in enumerate(self._choices):
            row, column = 2 + k // pairs, 2 * (k % pairs)
            self._grid.addWidget(label, row, column)
            self._grid.addWidget(choice, row, column + 1)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1 if pairs > 1 else 0)


def plain_box(names: Iterable[str], tip: str) -> QComboBox:
    """A box of these names that takes the available room."""
    box = CalmCombo(tip)
    box.addItems(list(names))
    box.setMinimumWidth(64)
    box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return box


def _line(name: str) -> QLineEdit:
    line = QLineEdit()
    line.setPlaceholderText(SAME)
    line.setToolTip(f"{name} of every contact of the fork; empty: as the model has them")
    line.setAccessibleName(name)
    line.setMinimumWidth(60)
    return line


FEW_COLUMNS = 290  # pixels below which the list has no room for more than names and errors
NAME, ERROR, PEAK, COST, REMOVE = range(5)
HEADINGS = (
    ("Fork", "What differs in the fork; the box shows or hides its ghost"),
    ("apart", "Present distance from the simulation, in the measure of the plot"),
    ("largest", "Its largest distance since it began"),
    ("\N{MICRO SIGN}s", "Wall time per step of the fork"),
    ("", ""),
)
KEY = Qt.ItemDataRole.UserRole
NEXT_KEY = 0  # forks have keys from 1 on


class ForkList(QTreeWidget):
    """chosen: key of the row that the user has chosen, NEXT_KEY for the next fork; ghosted: key, and whether its ghost shows."""

    chosen = pyqtSignal(int)
    ghosted = pyqtSignal(int, bool)
    removed = pyqtSignal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: dict[int, QTreeWidgetItem] = {}
        self.setAccessibleName("Forks")
        self.setRootIsDecorated(False)
        self.setMinimumWidth(0)
        self.setFont(theme.sans(9))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        header = set_headings(self, *zip(*HEADINGS, strict=True), name=NAME)
        header.setMinimumSectionSize(26)
        for column, width in ((ERROR, 66), (PEAK, 66), (COST, 44), (REMOVE, 28)):
            header.setSectionResizeMode(column, header.ResizeMode.Fixed)
            self.setColumnWidth(column, width)
        self.itemChanged.connect(self._on_changed)
        self.currentItemChanged.connect(lambda item, before: self.chosen.emit(item.data(NAME, KEY)) if item is not None else None)

    def show_forks(self, entries: Sequence[ForkEntry], chosen: int) -> None:
        """List these, and the next fork; chosen: key of the current row."""
        with QSignalBlocker(self):
            if [*self._rows] != [*(entry.key for entry in entries), NEXT_KEY]:
                self.clear()
                self._rows = {entry.key: self._row(entry.key, entry.ink) for entry in entries}
                self._rows[NEXT_KEY] = self._next_row()
            for entry in entries:
                self._show(entry)
            self.setCurrentItem(self._rows[chosen])
        header = self.header()
        high = 0 if header is None else header.sizeHint().height()
        self.setFixedHeight(high + len(self._rows) * self.sizeHintForRow(0) + 2 * self.frameWidth() + 2)

    def show_values(self, key: int, values: Sequence[str], *, bad: bool) -> None:
        """Show error, peak and cost of a fork in their columns."""
        item = self._rows[key]
        with QSignalBlocker(self):
            for column, text in zip((ERROR, PEAK, COST), values, strict=True):
                item.setText(column, text)
            item.setForeground(ERROR, theme.colour("bad" if bad else "text"))

    def _show(self, entry: ForkEntry) -> None:
        item = self._rows[entry.key]
        item.setText(NAME, entry.name)
        item.setCheckState(NAME, Qt.CheckState.Checked if entry.ghost else Qt.CheckState.Unchecked)
        item.setToolTip(NAME, f"{entry.name}\n{entry.remark}".rstrip())
        button = self.itemWidget(item, REMOVE)
        if button is not None:
            button.setAccessibleName(f"Remove {entry.name}")

    def _row(self, key: int, ink: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self)
        item.setData(NAME, KEY, key)
        item.setIcon(NAME, theme.swatch(ink))
        for column in (ERROR, PEAK, COST):
            item.setTextAlignment(column, NUMBER)
            item.setFont(column, theme.mono(8))
        button = QToolButton()
        button.setIcon(theme.icon("close", "dim"))
        button.setToolTip("Remove this fork")
        button.setStyleSheet("padding: 0")
        button.clicked.connect(lambda: self.removed.emit(key))
        self.setItemWidget(item, REMOVE, button)
        return item

    def _next_row(self) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [f"{NEXT}\N{HORIZONTAL ELLIPSIS}"])
        item.setData(NAME, KEY, NEXT_KEY)
        item.setToolTip(NAME, NEXT_TIP)
        item.setForeground(NAME, theme.colour("dim"))
        return item

    def _on_changed(self, item: QTreeWidgetItem, column: int) -> None:
        if column == NAME:
            self.ghosted.emit(item.data(NAME, KEY), item.checkState(NAME) == Qt.CheckState.Checked)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Fewer columns where there is no room."""
        super().resizeEvent(event)
        for column in (PEAK, COST):
            self.setColumnHidden(column, self.width() < FEW_COLUMNS)

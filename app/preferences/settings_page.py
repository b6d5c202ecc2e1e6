"""The page of settings: each with a control, grouped, and in effect at once where that is possible."""

from __future__ import annotations

from functools import partial

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from tumble.app.base.json_form import Range
from tumble.app.base.settings import Settings
from tumble.app.preferences.rows import ROWS, PreferenceRow, Value
from tumble.app.widgets.scroll_area import SteadyScrollArea


class SettingsPage(SteadyScrollArea):
    """changed: a setting has another value, which is stored: its key."""

    changed = pyqtSignal(str)

    def __init__(self, store: Settings) -> None:
        super().__init__()
        self._store = store
        self.controls: dict[str, QWidget] = {}
        self._lines: list[tuple[PreferenceRow, tuple[QWidget, ...]]] = []
        self._heads: dict[str, QLabel] = {}
        inner = QWidget()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(10, 6, 10, 10)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        column.addStretch(1)
        for row in ROWS:
            self._add(row)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _add(self, row: PreferenceRow) -> None:
        if row.group not in self._heads:
            self._heads[row.group] = QLabel(row.group)
            self._heads[row.group].setProperty("section", True)
            self._grid.addWidget(self._heads[row.group], self._grid.rowCount(), 0, 1, 3)
        control = self._control(row)
        label, back = QLabel(row.title), QPushButton("Reset")
        label.setBuddy(control)
        label.setToolTip(row.tip)
        control.setToolTip(row.tip)
        control.setAccessibleName(row.title)
        back.setAccessibleName(f"Reset {row.title}")
        back.setAutoDefault(False)
        back.clicked.connect(partial(self._reset, row))
        back.setVisible(not row.forget)
        at = self._grid.rowCount()
        holder = self._with_browser(row, control) if row.folder else control
        for column, widget in enumerate((label, holder, back)):
            self._grid.addWidget(widget, at, column)
        self.controls[row.setting.key] = control
        self._lines.append((row, (label, holder, back)))
        self._show(row)

    def _control(self, row: PreferenceRow) -> QWidget:
        default = row.setting.default
        if row.forget:
            button = QPushButton(row.forget)
            button.setAutoDefault(False)
            button.clicked.connect(lambda: self._put(row, []))
            return button
        if row.choices:
            box = QComboBox()
            for text, value in row.choices:
                box.addItem(text, value)
            box.activated.connect(lambda: self._put(row, box.currentData()))
            return box
        if isinstance(default, bool):
            check = QCheckBox()
            check.toggled.connect(partial(self._put, row))
            return check
        if isinstance(default, int | float):
            return self._number(row, isinstance(default, int))
        line = QLineEdit()
        line.setMinimumHeight(26)
        line.setPlaceholderText(row.setting.meaning.partition("empty: ")[2])
        line.editingFinished.connect(lambda: self._put(row, line.text().strip()))
        return line

    def _number(self, row: PreferenceRow, whole: bool) -> QWidget:
        limits: Range = row.setting.valid
        made = QSpinBox() if whole else QDoubleSpinBox()
        if isinstance(made, QSpinBox):
            made.setRange(int(limits.low), int(limits.high))
        else:
            made.setDecimals(2 if limits.low >= 0.01 else 4 if limits.low >= 1e-4 else 5)
            made.setRange(limits.low, limits.high)
            made.setSingleStep(0.1)
        made.setSuffix(f" {row.unit}" if row.unit else "")
        made.setKeyboardTracking(False)
        made.setMinimumHeight(26)
        made.valueChanged.connect(partial(self._put, row))
        return made

    def _with_browser(self, row: PreferenceRow, control: QWidget) -> QWidget:
        holder, browse = QWidget(), QPushButton("Browse…")
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(control, 1)
        line.addWidget(browse)
        browse.setAutoDefault(False)
        browse.setAccessibleName(f"Browse: {row.title}")
        browse.clicked.connect(partial(self._browse, row))
        return holder

    # ---- values

    def refresh(self) -> None:
        """Show what is stored now: other parts of the window change settings too."""
        for row in ROWS:
            self._show(row)

    def _show(self, row: PreferenceRow) -> None:
        value: Value = self._store.get(row.setting)
        control = self.controls[row.setting.key]
        with QSignalBlocker(control):
            if isinstance(control, QComboBox):
                if row.measured is not None:
                    kept, said = row.measured
                    found = said(self._store.get(kept))
                    control.setItemText(0, row.choices[0][0] + (f" ({found})" if found else ""))
                control.setCurrentIndex(control.findData(value))
            elif isinstance(control, QCheckBox):
                control.setChecked(bool(value))
            elif isinstance(control, QSpinBox):
                control.setValue(int(str(value)))
            elif isinstance(control, QDoubleSpinBox):
                control.setValue(float(str(value)))
            elif isinstance(control, QLineEdit):
                control.setText(str(value))
        if isinstance(value, list):
            control.setEnabled(bool(value))
        self._lines_back(row).setEnabled(value != row.setting.default)

    def _lines_back(self, row: PreferenceRow) -> QWidget:
        return next(widgets[2] for other, widgets in self._lines if other is row)

    def _put(self, row: PreferenceRow, value: Value) -> None:
        if value == self._store.get(row.setting):
            return
        self._store.put(row.setting, value)
        self._show(row)
        self.changed.emit(row.setting.key)

    def _reset(self, row: PreferenceRow) -> None:
        self._put(row, row.setting.default)

    def _browse(self, row: PreferenceRow) -> None:
        name = QFileDialog.getExistingDirectory(self, row.title, str(self._store.get(row.setting)))
        if name:
            self._put(row, name)

    @property
    def total(self) -> int:
        """How many settings there are."""
        return len(self._lines)

    def filter(self, typed: str) -> int:
        """Show the settings whose title, group or meaning has all words; returns how many."""
        words, shown_groups, count = typed.lower().split(), set(), 0
        for row, widgets in self._lines:
            text = f"{row.title} {row.group} {row.setting.meaning}".lower()
            shown = all(word in text for word in words)
            for widget in widgets[: 2 if row.forget else 3]:
                widget.setVisible(shown)
            if shown:
                shown_groups.add(row.group)
                count += 1
        for group, head in self._heads.items():
            head.setVisible(group in shown_groups)
        return count

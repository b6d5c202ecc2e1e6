"""A slider with name, exact field, and reset button, in one line."""

from __future__ import annotations

import math

from PyQt6.QtCore import QEvent, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from tumble.app.look import theme
from tumble.app.widgets.layout import hbox, make_label
from tumble.app.widgets.live_field import Calm, LiveSpinBox

TICKS = 2000
ROW, SLIDER, SPACE = 24, 44, 4  # least height of a row, least width of a slider, room between two parts [px]


class CalmSlider(Calm, QSlider):
    """A slider in a panel that scrolls, which leaves the keyboard to the view unless it is tabbed to."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setRange(0, TICKS)
        self.setPageStep(TICKS // 20)


class ElidedLabel(QLabel):
    """A label that ends in an ellipsis if it has no room, and shows the whole text in its tool tip."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._width = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str, tip: str = "") -> None:
        """Show another text; tip: of the tool tip, if different."""
        self._full = self._brief = text
        self.setToolTip(tip or text)
        self.setAccessibleName(text)
        self._fit()

    def text(self) -> str:
        """All of it, whatever of it is seen."""
        return self._full

    def abbreviate(self, text: str) -> None:
        """Show a part of the text, which stays in the tool tip and for screen readers."""
        if text != self._brief:
            self._brief = text
            self._fit()

    def prefer(self, width: int) -> None:
        """Take this width [px] if available, else less; without it the label takes the remaining width."""
        if width != self._width:
            self._width = width
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """The width that is preferred, the height of a line."""
        return QSize(self._width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Any width."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QEvent | None) -> None:
        """Fit the text to the width."""
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._brief, Qt.TextElideMode.ElideMiddle, self.width()))


class SliderRow(QWidget):
    """A line of 24 pixels: name, slider, value, unit, reset.

    changed: the user moved it to a value; `show_value` shows one without telling.
    """

    changed = pyqtSignal(float)

    def __init__(self, name: str, unit: str, low: float, high: float, *, limited: bool, first: float = 0.0) -> None:
        super().__init__()
        self.name = name
        self._low, self._high, self._first = low, high, first
        self.label = ElidedLabel(name)
        self.label.setFont(theme.sans(9))
        self.unit = _unit_label(unit)
        self.slider = CalmSlider()
        self.slider.setMinimumWidth(SLIDER)
        self.field = self._make_field(low, high, limited)
        self.back = tool("undo", f"{name}: revert", f"Revert to {first:.4g}")
        bounds = f"{low:.4g} to {high:.4g} {unit}".strip()
        self.slider.setToolTip(f"{bounds}, the model's range" if limited else "No range in the model: any number may be typed")
        for control, what in ((self.slider, ""), (self.field, " as a number")):
            control.setAccessibleName(f"{name}{what}")
            control.setAccessibleDescription(bounds if limited else "no range in the model")
        self.back.clicked.connect(lambda: self._input(self._first))
        self.slider.valueChanged.connect(lambda tick: self._input(self._value_at(tick)))
        self.field.committed.connect(self._input)
        self._lay_out()
        self.show_value(first)

    def _make_field(self, low: float, high: float, limited: bool) -> LiveSpinBox:
        field = LiveSpinBox()
        span = high - low
        field.setDecimals(max(2, min(6, 3 - math.floor(math.log10(span)))) if 0 < span < math.inf else 3)
        # Without limits the slider's range is a suggestion: the field takes any number.
        field.setRange(low, high) if limited else field.setRange(-1e9, 1e9)
        field.setSingleStep(span / 100 if span > 0 else 0.01)
        field.setAlignment(Qt.AlignmentFlag.AlignRight)
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.setFont(theme.mono(9))
        ends = [field.textFromValue(end) for end in (low, high)] if limited else []
        self._widest = max([*ends, "-00.000"], key=len)  # the same for most rows, so that their sliders stand in one column
        return field

    def _lay_out(self) -> None:
        self._grid = grid = QGridLayout(self)
        grid.setContentsMargins(10, 1, 4, 1)
        grid.setRowMinimumHeight(1, ROW - 2)
        grid.setVerticalSpacing(0)
        self._line = line = hbox(self.label, self.slider, self.field, self.unit, self.back, spacing=SPACE)
        line.setStretchFactor(self.slider, 1)
        grid.addLayout(line, 1, 0)

    def least_width(self) -> int:
        """Width of a row without its name at the current text size [px]; sizes the field."""
        metrics = self.field.fontMetrics()
        self.field.setFixedSize(metrics.horizontalAdvance(self._widest) + 14, max(ROW - 4, metrics.height() + 4))
        widgets = [item.widget() for item in map(self._line.itemAt, range(self._line.count())) if item is not None]
        others = [w for w in widgets if w is not None and w is not self.label]
        rest = [w.minimumWidth() or w.minimumSizeHint().width() for w in others]  # a set width hides the hint
        margins = self._grid.contentsMargins()
        return margins.left() + margins.right() + sum(rest) + SPACE * len(widgets)

    def show_name(self, text: str, width: int | None) -> None:
        """Show the name, or a distinguishing part of it, in a width [px]; None: in its own line."""
        self.label.abbreviate(text)
        if (width is None) is not (self._line.indexOf(self.label) < 0):
            if width is None:
                self._grid.addWidget(self.label, 0, 0)
            else:
                self._line.insertWidget(0, self.label)
        self.label.prefer(width or 0)

    def add_tool(self, button: QToolButton) -> None:
        """Add a button after the reset button."""
        self._line.addWidget(button)

    def add_below(self, widget: QWidget) -> None:
        """A part of the row under its slider."""
        self._grid.addWidget(widget, 2, 0)

    def show_value(self, value: float) -> None:
        """Show a value without treating it as input; a slider that the user holds is not moved."""
        if not math.isfinite(value):
            return
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._tick_at(value))
        self.field.show_value(value)

    def set_editable(self, editable: bool) -> None:
        """Enable or disable editing."""
        for part in (self.slider, self.field, self.back):
            part.setEnabled(editable)

    def _input(self, value: float) -> None:
        with QSignalBlocker(self.slider):
            if not self.slider.isSliderDown():
                self.slider.setValue(self._tick_at(value))
        self.field.replace(value)
        self.changed.emit(value)

    def _value_at(self, tick: int) -> float:
        return self._low + (self._high - self._low) * tick / TICKS

    def _tick_at(self, value: float) -> int:
        span = self._high - self._low
        return round(TICKS * min(1.0, max(0.0, (value - self._low) / span))) if span > 0 else 0


def tool(icon: str, name: str, tip: str = "") -> QToolButton:
    """A small button in a row. icon: empty if it follows; name: for screen readers."""
    button = QToolButton()
    if icon:
        button.setIcon(theme.icon(icon, "dim"))
    button.setIconSize(QSize(14, 14))
    button.setFixedSize(18, 18)
    button.setStyleSheet("padding: 0px")
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoRaise(True)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    return button


def _unit_label(unit: str) -> QLabel:
    label = make_label(unit, ink="dim", font=theme.sans(8.5))
    return label

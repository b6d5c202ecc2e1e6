"""A labelled slider with its range, an exact field, and a button that brings the first value back."""

from __future__ import annotations

import math

from PyQt6.QtCore import QEvent, QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QWheelEvent
from PyQt6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QSlider, QToolButton, QWidget

from app.look import theme
from app.widgets.live_field import LiveSpinBox

TICKS = 2000


class CalmSlider(QSlider):
    """A slider that leaves the wheel to the panel it scrolls in, and the keyboard to the view unless it is tabbed to."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setRange(0, TICKS)
        self.setPageStep(TICKS // 20)

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Pass the wheel on."""
        if event is not None:
            event.ignore()


class ElidedLabel(QLabel):
    """A label that ends in an ellipsis if it has no room, and shows the whole text in its tool tip."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_text(text)

    def set_text(self, text: str, tip: str = "") -> None:
        """Show another text; tip: what the tool tip says, if not the same."""
        self._full = text
        self.setToolTip(tip or text)
        self.setAccessibleName(text)
        self._fit()

    def text(self) -> str:
        """All of it, whatever of it is seen."""
        return self._full

    def resizeEvent(self, event: QEvent | None) -> None:
        """Fit the text to the width."""
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideMiddle, self.width()))


class SliderRow(QWidget):
    """name [value unit] / low --o-- high, reset.

    changed: the user moved it to a value; `show_value` shows one without telling.
    """

    changed = pyqtSignal(float)

    def __init__(self, name: str, unit: str, low: float, high: float, *, limited: bool, first: float = 0.0) -> None:
        super().__init__()
        self._low, self._high, self._first = low, high, first
        self.label = ElidedLabel(name)
        self.slider = CalmSlider()
        self.field = self._make_field(low, high, limited)
        self.back = QToolButton()
        self.back.setIcon(theme.icon("undo", "dim"))
        self.back.setIconSize(QSize(14, 14))
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.back.setAutoRaise(True)
        self.back.setToolTip(f"Back to {first:.4g}")
        for control, what in ((self.slider, ""), (self.field, " as a number"), (self.back, ": back")):
            control.setAccessibleName(f"{name}{what}")
        self.back.clicked.connect(lambda: self._input(self._first))
        self.slider.valueChanged.connect(lambda tick: self._input(self._value_at(tick)))
        self.field.committed.connect(self._input)
        self._lay_out(unit, limited)
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
        ends = [field.textFromValue(end) for end in (low, high)] if limited else ["-0000.000"]
        widest = max(*ends, "-00.000", key=len)  # no wider than it must be: the name is next to it
        field.setFixedWidth(field.fontMetrics().horizontalAdvance(widest) + 18)
        return field

    def _lay_out(self, unit: str, limited: bool) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 5, 10, 5)
        grid.setHorizontalSpacing(5)
        grid.setVerticalSpacing(1)
        grid.addWidget(self.label, 0, 0, 1, 2)
        grid.addWidget(_small(unit, theme.sans(8.5), Qt.AlignmentFlag.AlignRight), 0, 2)
        grid.addWidget(self.field, 0, 3, 1, 2)
        ends = [_small(f"{v:.3g}", theme.mono(8), side) for v, side in ((self._low, _RIGHT), (self._high, _LEFT))]
        line = QGridLayout()
        line.setHorizontalSpacing(7)
        line.addWidget(ends[0], 0, 0)
        line.addWidget(self.slider, 0, 1)
        line.addWidget(ends[1], 0, 2)
        line.addWidget(self.back, 0, 3)
        line.setColumnStretch(1, 1)
        grid.addLayout(line, 1, 0, 1, 5)
        grid.setColumnStretch(1, 1)
        self._grid, self._line = grid, line
        for end in ends:
            end.setMinimumWidth(end.fontMetrics().horizontalAdvance("-0.00"))
            end.setEnabled(limited)
            end.setToolTip("the model's range" if limited else "no range in the model: any number may be typed")

    def add_tool(self, button: QToolButton) -> None:
        """Another button, behind the one that brings the first value back."""
        self._line.addWidget(button, 0, 4)

    def add_below(self, widget: QWidget) -> None:
        """A part of the row under its slider."""
        self._grid.addWidget(widget, 2, 0, 1, 5)

    def show_value(self, value: float) -> None:
        """Show a value without treating it as input; a slider that the user holds is not moved."""
        if not math.isfinite(value):
            return
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(self._tick_at(value))
        self.field.show_value(value)

    def set_editable(self, editable: bool) -> None:
        """Whether the user may move it, or it only shows."""
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


_LEFT, _RIGHT = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight


def _small(text: str, font: object, side: Qt.AlignmentFlag) -> QLabel:
    label = QLabel(text)
    label.setFont(font)  # type: ignore[arg-type]
    label.setProperty("dim", True)
    label.setAlignment(side | Qt.AlignmentFlag.AlignVCenter)
    return label

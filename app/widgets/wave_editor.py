"""Editor of a signal generator: waveform and numbers."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from tumble.app.look import theme
from tumble.app.simulation.generators import Generator, Shape
from tumble.app.widgets.layout import make_button, make_label
from tumble.app.widgets.live_field import CalmCombo, LiveSpinBox

OFF = "Off"


class _NumberSpec(Struct, frozen=True):
    """A number of a generator: field, caption, unit, least value and meaning."""

    field: str
    caption: str
    unit: str = ""
    low: float = -1e6
    high: float = 1e6
    tip: str = ""


_OFFSET = _NumberSpec("offset", "offset", tip="Mean value")
_AMPLITUDE = _NumberSpec("amplitude", "amplitude", tip="Amplitude to either side of the mean")
_FREQUENCY = _NumberSpec("frequency", "frequency", "Hz", 0.0, tip="Periods per simulated second")
_PHASE = _NumberSpec("phase", "phase", "rad", tip="Phase at time 0")
_PARTS = {
    Shape.SINE: (_OFFSET, _AMPLITUDE, _FREQUENCY, _PHASE),
    Shape.SQUARE: (_OFFSET, _AMPLITUDE, _FREQUENCY, _PHASE),
    Shape.STEP: (replace(_OFFSET, caption="before", tip="The control before the step"),
                 replace(_AMPLITUDE, caption="height", tip="Height of the step"),
                 _NumberSpec("start", "at", "s", 0.0, tip="Simulated time of the step")),
    Shape.NOISE: (_OFFSET, replace(_AMPLITUDE, caption="deviation", low=0.0, tip="Standard deviation"),
                  _NumberSpec("memory", "memory", "s", 0.0, 10.0, "Correlation time; 0: every step is independent"),
                  _NumberSpec("seed", "seed", "", 0, 2**31 - 1, "The same seed gives the same noise again")),
}  # fmt: skip
_WHOLE = ("seed",)
_NARROW = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the panel's width is given


class GeneratorEditor(QWidget):
    """wanted: another generator, or None; for_all: this one for all actuators. `show_generator` shows one without telling."""

    wanted = pyqtSignal(object)
    for_all = pyqtSignal(object)

    def __init__(self, first: Generator, off: str = OFF, tip: str = "", *, single: bool = False) -> None:
        """first: the numbers when it is switched on; off, tip: words of the choice; single: there are no others like it."""
        super().__init__()
        self._present, self._on = first, False
        tip = tip or "Generator that drives this control; moving the slider switches it off"
        self.shape = CalmCombo("Generator of this control", tip, ((off, None), *((shape.value, shape) for shape in Shape)))
        self.shape.activated.connect(self._choose)
        self.shape.setSizePolicy(_NARROW)
        self.all = make_button(
            "For all", "The same for all actuators", lambda: self.for_all.emit(self._present if self._on else None), by_tab=True
        )
        self.all.setHidden(single)
        self.fields: dict[str, LiveSpinBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 4, 0, 4)
        self._grid.setHorizontalSpacing(7)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        self._shown: list[QWidget] = []
        self._lay_out()

    def show_generator(self, generator: Generator | None) -> None:
        """Show the generator of this actuator; None: it has none."""
        self._on = generator is not None
        if generator is not None and generator != self._present:
            self._present = generator
        self._lay_out()

    def _choose(self, index: int) -> None:
        shape = self.shape.itemData(index)
        self._on = shape is not None
        if shape is not None:
            self._present = replace(self._present, shape=shape)
        self._lay_out()
        self._tell()

    def _change(self, field: str, value: float) -> None:
        number: Any = int(value) if field in _WHOLE else value
        self._present = replace(self._present, **{field: number})
        self._tell()

    def _tell(self) -> None:
        self.wanted.emit(self._present if self._on else None)

    def _lay_out(self) -> None:
        """The fields of the present shape, two in a line."""
        with QSignalBlocker(self.shape):
            self.shape.setCurrentIndex(self.shape.findData(self._present.shape) if self._on else 0)
        parts = _PARTS[self._present.shape] if self._on else ()
        if [part.field for part in parts] == list(self.fields) and self._shown:
            for part in parts:
                self._fill(part)
            return
        for widget in self._shown:
            self._grid.removeWidget(widget)
            if widget not in (self.shape, self.all):
                widget.hide()
                widget.deleteLater()
        self.fields, self._shown = {}, [self.shape, self.all]
        self._grid.addWidget(self.shape, 0, 0, 1, 2)
        self._grid.addWidget(self.all, 0, 2, 1, 2)
        for k, part in enumerate(parts):
            caption = make_label(part.caption, ink="dim", font=theme.sans(8.5))
            field = self._field(part)
            self._grid.addWidget(caption, 1 + k // 2, 2 * (k % 2))
            self._grid.addWidget(field, 1 + k // 2, 2 * (k % 2) + 1)
            self._shown += [caption, field]

    def _field(self, part: _NumberSpec) -> LiveSpinBox:
        field = LiveSpinBox()
        field.setAccessibleName(part.caption)
        field.setDecimals(0 if part.field in _WHOLE else 4)
        field.setRange(part.low, part.high)
        field.setStepType(LiveSpinBox.StepType.AdaptiveDecimalStepType)
        field.setSuffix(f" {part.unit}" if part.unit else "")
        field.setToolTip(part.tip)
        field.setSizePolicy(_NARROW)
        field.setMinimumWidth(56)
        field.setFont(theme.mono(9))
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.committed.connect(lambda value: self._change(part.field, value))
        self.fields[part.field] = field
        self._fill(part)
        return field

    def _fill(self, part: _NumberSpec) -> None:
        self.fields[part.field].show_value(float(getattr(self._present, part.field)))

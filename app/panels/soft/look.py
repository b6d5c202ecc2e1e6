"""Colours of soft bodies and the limit of their time step, computed outside the window's thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter, QPaintEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.base.background import Background
from tumble.app.describe.numbers import short
from tumble.app.look import theme
from tumble.app.panels.soft.values import UNITS, SoftModel, SoftMoment, SoftQuantity, colours_of, reach_of, stops
from tumble.app.session.session import Session
from tumble.physics.observe.soft_strain import step_limit

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.observe.soft_strain import StepLimit

# The scale shrinks only once the values fill less than this share of it, so that it does not flicker.
_SHRINK = 0.3


class SoftLook(QObject):
    """quantity: of the colours; reach: the largest value of the scale; limits: by flex, the limit of its time step.

    changed: the scale changed; limited: the limits changed.
    """

    changed = pyqtSignal()
    limited = pyqtSignal()

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self.quantity, self.reach = SoftQuantity.NONE, 1e-12
        self.limits: list[StepLimit | None] = []
        self._session = session
        self._background = Background("soft bodies", self)
        self._soft: SoftModel | None = None
        self._model: MjModel | None = None
        self._again = False

    def read(self) -> None:
        """The model or its numbers changed: find the limit of the time step, and colour again."""
        model = self._session.model
        if model is not self._model:
            self._session.extras.colours, self.limits = None, []
        self._model, self._soft = model, None
        if model is not None and model.nflex:
            self._background.run(lambda: (SoftModel(model), [step_limit(model, i) for i in range(model.nflex)]), self._take)

    def forget(self) -> None:
        """Release the model: the panel is hidden."""
        self._model, self._soft, self.limits = None, None, []
        self.stop()

    def _take(self, found: tuple[SoftModel, list[StepLimit | None]]) -> None:
        if self._session.model is self._model:
            self._soft, self.limits = found
            self.limited.emit()
            self.look()

    def colour_by(self, quantity: SoftQuantity) -> None:
        """Colour elements by another quantity."""
        self.quantity, self.reach = quantity, 1e-12
        if quantity is SoftQuantity.NONE:
            self.stop()
        self.look()
        self.changed.emit()

    def stop(self) -> None:
        """Draw soft bodies in their own colours."""
        if self._session.extras.colours is not None:
            self._session.extras.colours = None
            self._session.forces_changed.emit()

    def look(self) -> None:
        """Colour the present moment, unless the one before is still under way: then once it is done."""
        snapshot, soft = self._session.snapshot, self._soft
        if self.quantity is SoftQuantity.NONE or soft is None or snapshot is None or self._session.model is not self._model:
            return
        if self._background.busy:
            self._again = True
            return
        self._again = False
        seen, quantity, before = SoftMoment.of(snapshot), self.quantity, self.reach

        def work() -> tuple[SoftQuantity, float, object]:
            values = soft.values(quantity, seen)
            wanted = reach_of(values)
            reach = before if _SHRINK * before < wanted <= before else wanted
            return quantity, reach, colours_of(quantity, values, reach)

        self._background.run(work, self._show)

    def _show(self, found: tuple[SoftQuantity, float, object]) -> None:
        quantity, reach, colours = found
        if quantity is not self.quantity or self._soft is None:
            return
        self._session.extras.colours = colours  # type: ignore[assignment]  # bytes
        if reach != self.reach:
            self.reach = reach
            self.changed.emit()
        self._session.forces_changed.emit()
        if self._again:
            self.look()


BAR = 12  # pixels
MARKS = 5
GAP = 6  # between two numbers, at least [px]


class Legend(QWidget):
    """quantity, reach: of the colours; `read` formats its numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.quantity, self.reach = SoftQuantity.NONE, 1.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend of the colours")
        self.hide()

    def show_scale(self, quantity: SoftQuantity, reach: float) -> None:
        """Show another scale; hidden without a quantity."""
        self.quantity, self.reach = quantity, reach
        self.setVisible(quantity is not SoftQuantity.NONE)
        self.setAccessibleDescription(" ".join(self.read()))
        self.update()

    def read(self) -> list[str]:
        """The numbers along the bar, with the unit at the last."""
        low = -self.reach if self.quantity is SoftQuantity.STRAIN else 0.0
        values = [low + (self.reach - low) * k / (MARKS - 1) for k in range(MARKS)]
        texts = [short(value, least=1e-9 * self.reach, figures=3) for value in values]
        return [*texts[:-1], f"{texts[-1]} {UNITS.get(self.quantity, '')}"]

    def places(self) -> list[tuple[QRectF, str]]:
        """Positions of numbers: always the ends, then the middle and others that overlap none [px]."""
        metrics, texts = QFontMetrics(theme.mono(8)), self.read()
        places: dict[int, QRectF] = {}
        for k in (MARKS - 1, 0, MARKS // 2, *range(1, MARKS - 1)):
            wide = metrics.horizontalAdvance(texts[k]) + 2.0
            x = min(max(2.0 + (self.width() - 4) * k / (MARKS - 1) - wide / 2, 0.0), self.width() - wide)
            place = QRectF(x, BAR + 4, wide, metrics.height())
            if not any(place.adjusted(-GAP, 0, GAP, 0).intersects(other) for other in places.values()):
                places.setdefault(k, place)
        return [(places[k], texts[k]) for k in sorted(places)]

    def sizeHint(self) -> QSize:
        """Height of the bar and its numbers."""
        return QSize(120, BAR + 6 + self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent | None) -> None:
        """The bar, and its numbers below."""
        painter = QPainter(self)
        bar = QRectF(2, 2, self.width() - 4, BAR)
        gradient = QLinearGradient(bar.topLeft(), bar.topRight())
        colours = stops(self.quantity)
        for k, rgb in enumerate(colours):
            gradient.setColorAt(k / (len(colours) - 1), QColor(*rgb))
        painter.fillRect(bar, gradient)
        painter.setPen(theme.colour("dim"))
        painter.setFont(theme.mono(8))
        for place, text in self.places():
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft, text)
        painter.end()

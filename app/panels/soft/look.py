"""Colours of soft bodies by values of their elements, computed in the background, their scale, and the limit of the time step."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, QRectF, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter, QPaintEvent
from PyQt6.QtWidgets import QSizePolicy, QWidget

from tumble.app.base.background import Background
from tumble.app.describe.numbers import short
from tumble.app.look import theme
from tumble.app.session.session import Session
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics.observe.soft_strain import SoftShape, step_limit

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.observe.soft_strain import StepLimit


Floats = NDArray[np.float64]

# From the least value to the largest: of a quantity with a sign, whose middle is 0, and of one without.
_TWO_SIDED = ((33, 102, 172), (146, 197, 222), (240, 240, 236), (244, 165, 130), (178, 24, 43))
_ONE_SIDED = ((48, 42, 102), (52, 96, 160), (60, 160, 150), (160, 200, 90), (250, 225, 70))
_NOT_KNOWN = (128, 128, 128)


class SoftQuantity(Enum):
    """Quantities that colour elements; the value is the label."""

    NONE = "Nothing"
    STRAIN = "Strain"
    ENERGY = "Elastic energy"
    CONTACT = "Contact force"


UNITS = {SoftQuantity.STRAIN: "%", SoftQuantity.ENERGY: "J", SoftQuantity.CONTACT: "N"}
MEANINGS = {
    SoftQuantity.NONE: "Soft bodies in their own colours",
    SoftQuantity.STRAIN: "Of each element, the principal stretch farthest from none: positive pulled, negative pressed",
    SoftQuantity.ENERGY: "What each element stores: stretching, bending and the springs along its edges",
    SoftQuantity.CONTACT: "The normal forces of the contacts on each element",
}


class SoftMoment(Struct, frozen=True):
    """The moment that is looked at, in its own arrays.

    points: (nflexvert, 3) [m]; of contacts: force (n,) [N]; flex, elem, vert (n, 2).
    """

    points: Floats
    force: Floats
    flex: NDArray[np.int64]
    elem: NDArray[np.int64]
    vert: NDArray[np.int64]

    @staticmethod
    def of(snapshot: Snapshot) -> SoftMoment:
        """State copied from a snapshot, which is recycled."""
        flex, elem, vert = (snapshot.contact(name).astype(np.int64) for name in ("flex", "elem", "vert"))
        return SoftMoment(snapshot.frame.flexvert_xpos.copy(), snapshot.contact("force")[:, 0].copy(), flex, elem, vert)


class SoftModel:
    """The flexes of a model, prepared outside the window's thread on first use."""

    def __init__(self, model: MjModel) -> None:
        self._count = int(model.nflexelem)
        self.shapes = [SoftShape(model, flex) for flex in range(model.nflex)]

    def values(self, quantity: SoftQuantity, seen: SoftMoment) -> Floats:
        """(nflexelem,) the value of each element, in the unit of UNITS; nan where missing."""
        result = np.full(self._count, np.nan)
        if quantity is SoftQuantity.CONTACT:
            result[:] = 0.0
            self._add_contacts(result, seen)
            return result
        for shape in self.shapes:
            state = shape.state(seen.points[shape.mesh.vertices])
            own = 100.0 * state.strain if quantity is SoftQuantity.STRAIN else state.energy
            if own is not None:
                result[shape.mesh.element_span] = own
        return result

    def _add_contacts(self, made: Floats, seen: SoftMoment) -> None:
        """A contact at a vertex is one of all elements around it, in equal shares."""
        for c, side in zip(*np.nonzero(seen.flex >= 0), strict=True):
            mesh = self.shapes[seen.flex[c, side]].mesh
            element, vertex = int(seen.elem[c, side]), int(seen.vert[c, side])
            if element >= 0:
                which = np.array([element])
            else:
                which = np.flatnonzero((mesh.elements == vertex).any(axis=1))
            if len(which):
                made[mesh.element_span.start + which] += max(seen.force[c], 0.0) / len(which)


def reach_of(values: Floats) -> float:
    """The round number that nearly all values are below: 1, 2 or 5 times a power of ten."""
    known = np.abs(values[np.isfinite(values)])
    most = float(np.quantile(known, 0.995)) if len(known) else 0.0
    if not 1e-12 < most < math.inf:
        return 1e-12
    power = 10.0 ** math.floor(math.log10(most))
    return next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= most * (1 - 1e-9))


def stops(quantity: SoftQuantity) -> tuple[tuple[int, int, int], ...]:
    """The colours of a quantity from its least value to its largest."""
    return _TWO_SIDED if quantity is SoftQuantity.STRAIN else _ONE_SIDED


def colours_of(quantity: SoftQuantity, values: Floats, reach: float) -> NDArray[np.uint8]:
    """(n, 4) bytes for values: of strain from -reach to reach, of others from 0."""
    table = np.array(stops(quantity), float)
    share = 0.5 * (values / reach + 1.0) if quantity is SoftQuantity.STRAIN else values / reach
    known = np.isfinite(share)
    at = np.clip(np.where(known, share, 0.0), 0.0, 1.0) * (len(table) - 1)
    low = np.minimum(at.astype(np.int64), len(table) - 2)
    part = (at - low)[:, None]
    rgb = (1.0 - part) * table[low] + part * table[low + 1]
    rgb[~known] = _NOT_KNOWN
    rgba = np.full((len(values), 4), 255, np.uint8)
    rgba[:, :3] = np.round(rgb)
    return rgba


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

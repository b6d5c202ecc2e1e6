"""Values that colour the elements of flexes, computed off the window's thread, and their colours."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.simulation.snapshot import Snapshot
from tumble.physics.observe.soft_strain import SoftShape

if TYPE_CHECKING:
    from tumble.physics import MjModel

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

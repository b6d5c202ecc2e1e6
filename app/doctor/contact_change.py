"""Changes of a geom's numbers after which its contact with another geom has other parameters."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.case import OBJ, Examination
from tumble.app.editing.mixing import look_at, mix, unmix
from tumble.app.simulation.changes import Change
from tumble.physics import MjModel

Values = tuple[float, ...]
DIGITS = 4  # significant, of numbers that are proposed
MOST = 0.9999  # impedance that solimp may have


class ContactChange(Struct, frozen=True):
    """A change of a geom or an explicit pair: the attribute, `geom[foot].solref`, its numbers before, and the new ones."""

    path: str
    before: str
    change: Change

    @property
    def after(self) -> str:
        """The new numbers."""
        return written(self.change.value)


def contact_change(case: Examination, pair: tuple[int, int], name: str, wanted: Values) -> ContactChange | None:
    """The change of a geom or explicit pair that gives a contact a solref or solimp; name: which of these.

    Of the two geoms the one that has more weight in the mixture, then the other. None where neither can.
    """
    model, look = case.model, look_at(case.model)
    mixed = mix(model, look, *pair)
    if mixed.decided == "override":
        return None
    if mixed.decided == "pair":
        return _change(case, OBJ.mjOBJ_PAIR, f"pair_{name}", mixed.pair, wanted)
    first, second = pair if mixed.share >= 0.5 else pair[::-1]
    for geom, other in ((first, second), (second, first)):
        share = mixed.share if geom == pair[0] else 1 - mixed.share
        own = unmix(look, geom, other, wanted)[0] if name == "solref" else _unmix_solimp(model, geom, other, share, wanted)
        if own is not None:
            return _change(case, OBJ.mjOBJ_GEOM, f"geom_{name}", geom, own)
    return None


def _unmix_solimp(model: MjModel, geom: int, other: int, share: float, wanted: Values) -> Values | None:
    """The solimp that a geom of some weight needs so that the mixture is this one; None where none does."""
    if share == 0:
        return None
    own = tuple((a - (1 - share) * b) / share for a, b in zip(wanted, model.geom_solimp[other].tolist(), strict=True))
    d0, dwidth, width, midpoint, power = own
    valid = 0 < d0 <= MOST and 0 < dwidth <= MOST and width > 0 and 0 < midpoint < 1 and power >= 1
    return own if valid else None


def _change(case: Examination, kind: physics.mjtObj, field: str, index: int, wanted: Values) -> ContactChange:
    numbers = tuple(float(f"{x:.{DIGITS}g}") for x in wanted)
    before = np.asarray(getattr(case.model, field))[index].tolist()
    return ContactChange(case.path_of((kind, index), field.partition("_")[2]), written(before), Change(field, index, numbers))


def written(numbers: Iterable[float]) -> str:
    """Numbers as a file has them."""
    return " ".join(f"{x:g}" for x in numbers)

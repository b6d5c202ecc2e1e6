"""Numbers of a model at the places of edits, and whether another model has the same."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import attrgetter

import numpy as np

from tumble.app.editing.edits import EditPlace, Values
from tumble.app.editing.shapes import shape_text
from tumble.physics.model import MjModel
from tumble.physics.state.own import DEFAULTS


def names_of_file(model: MjModel) -> bytes:
    """The names of a model without those of its own options: writing one adds an element."""
    names = bytes(model.names)
    for at in np.asarray(model.name_numericadr).tolist()[::-1]:
        end = names.index(b"\0", at)
        if names[at:end].decode("utf-8", "replace") in DEFAULTS:
            names = names[:at] + names[end + 1 :]
    return names


def is_own(place: EditPlace) -> bool:
    """True for an option beyond the reference, which files have as <numeric name="tumble_..."/>."""
    return place.field.startswith("tumble.")


def value(model: MjModel, place: EditPlace) -> Values:
    """The numbers of a model at a place."""
    found = attrgetter(place.field)(model)
    return tuple(float(x) for x in np.ravel(found if place.index is None else found[place.index]))


def agree(place: EditPlace, first: Values, second: Values) -> bool:
    """True if two values of a place are the same, but for rounding where texts are rounded."""
    return first == second or (shape_text.is_rounded(place) and shape_text.nearly(first, second))


def not_as_wanted(
    model: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]], twisted: Collection[EditPlace]
) -> dict[EditPlace, str]:
    """The places whose values in the model of the changed texts differ from the targets, with the reason.

    twisted: quaternions of which the z axis alone counts.
    """
    return {
        p: "the file would give another value"
        for p, (_, now) in changes.items()
        if not (shape_text.same_z_axis(value(model, p), now) if p in twisted else agree(p, value(model, p), now))
    }


def only_these(model: MjModel, fresh: MjModel, changes: Mapping[EditPlace, tuple[Values, Values]]) -> bool:
    """True if the model of the changed texts has these numbers changed, and no other geom's."""
    fields = {place.field for place in changes if place.field.startswith("geom_")}
    return all(
        EditPlace(name, i) in changes or value(model, EditPlace(name, i)) == value(fresh, EditPlace(name, i))
        for name in fields
        for i in range(fresh.ngeom)
    )

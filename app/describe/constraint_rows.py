"""Constraint rows by name, and the elements that they belong to."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.contacts import FIRST_CONTACT_KIND, Names
from tumble.app.describe.subject import Subject, constraint_subject

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Integers = NDArray[Any]
_C = physics.mjtConstraint
_WORDS = {
    int(_C.mjCNSTR_EQUALITY): "equality", int(_C.mjCNSTR_FRICTION_DOF): "friction", int(_C.mjCNSTR_FRICTION_TENDON): "friction",
    int(_C.mjCNSTR_LIMIT_JOINT): "limit", int(_C.mjCNSTR_LIMIT_TENDON): "limit",
}  # fmt: skip


class ConstraintKeys(Struct, frozen=True, eq=False):
    """Elements of constraint rows. kind, ident (nefc,): efc_type, efc_id; place (nefc,): of a contact's row in it.

    sides (nefc, 2): of its contact, geoms or -1 - flex; point (nefc, 3): of its contact in the world [m]; island (nefc,): -1
    for none.
    """

    kind: Integers
    ident: Integers
    place: Integers
    sides: Integers
    point: NDArray[np.float64]
    island: Integers


def constraint_keys(data: MjData) -> ConstraintKeys:
    """The elements of the present rows."""
    kind, ident = np.array(data.efc_type, np.int64), np.array(data.efc_id, np.int64)
    contact = kind >= FIRST_CONTACT_KIND
    place, sides, point = np.zeros(len(kind), np.int64), np.full((len(kind), 2), -1), np.full((len(kind), 3), np.nan)
    if contact.any():
        place[contact] = np.flatnonzero(contact) - np.asarray(data.contact_efc_address)[ident[contact]]
        geom, flex = (np.asarray(part)[ident[contact]] for part in (data.contact_geom, data.contact_flex))
        sides[contact] = np.where(geom >= 0, geom, -1 - flex)
        point[contact] = np.asarray(data.contact_pos)[ident[contact]]
    island = np.array(data.efc_island) if data.nisland else np.full(len(kind), -1)
    return ConstraintKeys(kind, ident, place, sides, point, island)


class RowNames:
    """Names of the rows of one model, looked up when they are first seen."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._contacts: Names | None = None

    def name(self, rows: ConstraintKeys, index: int) -> str:
        """The element of a row, of a contact with the row's number in it."""
        if self._contacts is None:
            self._contacts = Names(self._model)
        kind, ident = int(rows.kind[index]), int(rows.ident[index])
        if kind >= FIRST_CONTACT_KIND:
            return f"{self._contacts.pair(rows.sides[index])} [{int(rows.place[index])}]"
        element, word = self._contacts.element(kind, ident), _WORDS[kind]
        return element if element.startswith(word) else f"{element} {word}"

    def subject(self, rows: ConstraintKeys, index: int) -> Subject:
        """The body or contact of a row, for the view to mark."""
        kind, ident = int(rows.kind[index]), int(rows.ident[index])
        if kind >= FIRST_CONTACT_KIND:
            first, second = (int(side) for side in rows.sides[index])
            x, y, z = (float(v) for v in rows.point[index])
            return Subject((first, second), (x, y, z) if math.isfinite(x + y + z) else None)
        return constraint_subject(self._model, kind, ident)

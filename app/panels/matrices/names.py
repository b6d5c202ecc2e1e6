"""Names of rows and columns of matrices, and the elements that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.describe.contacts import FIRST_CONTACT_KIND, Names
from tumble.app.describe.names import dof_names, name_of
from tumble.app.describe.subject import NOTHING, Subject, constraint_subject, element_subject
from tumble.app.panels.matrices.matrix_readings import ConstraintKeys, MatrixAxis, MatrixReading

if TYPE_CHECKING:
    from tumble.physics import MjModel

_OBJ, _C = physics.mjtObj, physics.mjtConstraint
_WORDS = {
    int(_C.mjCNSTR_EQUALITY): "equality", int(_C.mjCNSTR_FRICTION_DOF): "friction", int(_C.mjCNSTR_FRICTION_TENDON): "friction",
    int(_C.mjCNSTR_LIMIT_JOINT): "limit", int(_C.mjCNSTR_LIMIT_TENDON): "limit",
}  # fmt: skip
_OBJECTS = {MatrixAxis.ACTUATOR: _OBJ.mjOBJ_ACTUATOR, MatrixAxis.TENDON: _OBJ.mjOBJ_TENDON}


class AxisNames:
    """Names of one model, looked up when they are first seen."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._contacts: Names | None = None
        self._known: dict[tuple[MatrixAxis, int], str] = {}

    def name(self, axis: MatrixAxis, index: int, reading: MatrixReading) -> str:
        """Name of a row or column of a matrix."""
        if axis is MatrixAxis.ROW:
            return "" if reading.rows is None else self._row(reading.rows, index)
        key = axis, index
        if key not in self._known:
            self._known[key] = (
                dof_names(self._model, [index])[0] if axis is MatrixAxis.DOF else name_of(self._model, _OBJECTS[axis], index)
            )
        return self._known[key]

    def _row(self, rows: ConstraintKeys, index: int) -> str:
        if self._contacts is None:
            self._contacts = Names(self._model)
        kind, ident = int(rows.kind[index]), int(rows.ident[index])
        if kind >= FIRST_CONTACT_KIND:
            return f"{self._contacts.pair(rows.sides[index])} [{int(rows.place[index])}]"
        element, word = self._contacts.element(kind, ident), _WORDS[kind]
        return element if element.startswith(word) else f"{element} {word}"

    def subject(self, axis: MatrixAxis, index: int, reading: MatrixReading) -> Subject:
        """The body or contact of a row or column, for the view to mark."""
        if axis is MatrixAxis.DOF:
            return Subject(body=int(self._model.dof_bodyid[index]))
        if axis is not MatrixAxis.ROW:
            return element_subject(self._model, _OBJECTS[axis], index)
        if reading.rows is None:
            return NOTHING
        kind, ident = int(reading.rows.kind[index]), int(reading.rows.ident[index])
        if kind >= FIRST_CONTACT_KIND:
            first, second = (int(side) for side in reading.rows.sides[index])
            return Subject(pair=(first, second))
        return constraint_subject(self._model, kind, ident)

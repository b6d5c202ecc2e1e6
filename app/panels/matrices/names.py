"""Names of rows and columns of matrices, and the elements that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble import physics
from tumble.app.describe.constraint_rows import RowNames
from tumble.app.describe.names import dof_names, name_of
from tumble.app.describe.subject import NOTHING, Subject, element_subject
from tumble.app.panels.matrices.matrix_readings import MatrixAxis, MatrixReading

if TYPE_CHECKING:
    from tumble.physics import MjModel

_OBJ = physics.mjtObj
_OBJECTS = {MatrixAxis.ACTUATOR: _OBJ.mjOBJ_ACTUATOR, MatrixAxis.TENDON: _OBJ.mjOBJ_TENDON}


class AxisNames:
    """Names of one model, looked up when they are first seen."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._rows = RowNames(model)
        self._known: dict[tuple[MatrixAxis, int], str] = {}

    def name(self, axis: MatrixAxis, index: int, reading: MatrixReading) -> str:
        """Name of a row or column of a matrix."""
        if axis is MatrixAxis.ROW:
            return "" if reading.rows is None else self._rows.name(reading.rows, index)
        key = axis, index
        if key not in self._known:
            self._known[key] = (
                dof_names(self._model, [index])[0] if axis is MatrixAxis.DOF else name_of(self._model, _OBJECTS[axis], index)
            )
        return self._known[key]

    def subject(self, axis: MatrixAxis, index: int, reading: MatrixReading) -> Subject:
        """The body or contact of a row or column, for the view to mark."""
        if axis is MatrixAxis.DOF:
            return Subject(body=int(self._model.dof_bodyid[index]))
        if axis is not MatrixAxis.ROW:
            return element_subject(self._model, _OBJECTS[axis], index)
        return NOTHING if reading.rows is None else self._rows.subject(reading.rows, index)

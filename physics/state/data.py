"""The memory of a simulation: `MjData`."""

from __future__ import annotations

from typing import Any

from physics.state.block import Block, Rows
from physics.state.model import Model
from physics.state.reset import mj_resetData
from physics.state.named import DataNames
from physics.state.view import DataType

# Capacities to start with: most scenes never outgrow them, and they cost little memory.
_CONTACTS, _ROWS, _ISLANDS = 32, 96, 4


class Contacts(Rows):
    """`d.contact`: the detected contacts; `geom1` and `geom2` are the columns of `geom`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name in ("geom1", "geom2"):
            return self._block.contact_geom[:, int(name == "geom2")]
        return super().__getattr__(name)


class Data(DataNames, Block, struct=DataType):
    """State, inputs and everything computed from them, by MuJoCo's names and shapes."""

    def __init__(self, model: Model) -> None:
        """Memory for a model, in its initial state."""
        rows, nv = max(_ROWS, 4 * model.nv), model.nv
        capacities = {"maxcon": _CONTACTS, "maxefc": rows, "maxJ": rows * nv, "maxA": 0, "maxisland": _ISLANDS}
        self._allocate(model.sizes() | capacities)
        self._model = model
        self.contact = Contacts(self, "contact_")
        self.solver = Rows(self, "solverstat_")
        self.warning = Rows(self, "warning_")
        self.timer = Rows(self, "timer_")
        mj_resetData(model, self)

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy.copy, copy.deepcopy and pickle: data of their own, with the same values."""
        return type(self), (self._model,), self._values()

    @property
    def model(self) -> Model:
        """The model these data belong to."""
        return self._model

    def grow_contacts(self, need: int) -> None:
        """Room for at least `need` contacts; what is stored stays, addresses change."""
        self._grow("maxcon", max(need, 2 * self.maxcon))

    def grow_rows(self, need: int) -> None:
        """Room for at least `need` constraint rows, their Jacobian, and (where the dual is used) their matrix."""
        rows = max(need, self.maxefc * 3 // 2)
        self._grow("maxefc", rows)
        self._grow("maxJ", rows * self._model.nv)
        if self.maxA:
            self._grow("maxA", rows * rows)

    def grow_dual(self, need: int) -> None:
        """Room for at least `need` entries of efc_AR, the matrix of the dual solvers."""
        self._grow("maxA", max(need, self.maxA * 3 // 2))

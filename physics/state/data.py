"""The memory of a simulation: `MjData`."""

from __future__ import annotations

from typing import Any

from physics.state.block import Block, Rows
from physics.state.model import Model
from physics.state.reset import mj_resetData
from physics.state.named import DataNames
from physics.state.view import DataType, ModelType

# Capacities to start with: most scenes never outgrow them, and they cost little memory.
_CONTACTS, _ROWS = 32, 96


# Where one island holds everything, its problem is the whole problem: not copied, but read under both names.
_IN_ISLAND_ORDER = {
    "ifrc_smooth": "qfrc_smooth", "iacc_smooth": "qacc_smooth", "iacc": "qacc", "ifrc_constraint": "qfrc_constraint",
    "iM_rownnz": "M_rownnz", "iM_rowadr": "M_rowadr", "iM_colind": "M_colind", "iM": "M", "iLD": "qLD", "iLDiagInv": "qLDiagInv",
} | {
    f"iefc_{n}": f"efc_{n}" for n in (
        "type", "id", "J_rownnz", "J_rowadr", "J_rowsuper", "J_colind", "J", "frictionloss", "D", "R", "aref", "state", "force",
    )
}  # fmt: skip


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
        capacities = {"maxcon": _CONTACTS, "maxefc": rows, "maxJ": rows * nv, "maxA": 0, "maxH": nv * nv, "maxisland": model.ntree}
        capacities |= {"nslotm": ModelType.nslot, "nslotd": DataType.nslot}
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


def _either(name: str, whole: str) -> property:
    """The property of a field in the order of islands."""
    own = Data.__dict__[name]

    def get(self: Data) -> Any:
        if not self.island_whole:
            return own.fget(self)
        return getattr(self if whole in DataType.fields else self.model, whole)

    return property(get, own.fset, doc=own.__doc__)


for _name, _whole in _IN_ISLAND_ORDER.items():
    setattr(Data, _name, _either(_name, _whole))

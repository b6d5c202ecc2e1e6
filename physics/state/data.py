"""The memory of a simulation: `MjData`."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any, Self

from physics.errors import ModelError
from physics.state.block import ADDRESS, Rows
from physics.state.fields import DATA
from physics.state.fields.record import RECORD
from physics.state.layout import DATA_LAYOUT, MODEL_LAYOUT
from physics.state.model import Model
from physics.state.named import DataNames
from physics.state.reset import initial_state

if TYPE_CHECKING:
    from physics.state.declared import DataBlock
    from physics.state.declared import groups as declared
else:
    from physics.state.block import Block as DataBlock

log = logging.getLogger(__name__)

# Capacities to start with: most scenes never outgrow them, and they cost little memory.
_CONTACTS, _ROWS = 32, 96
_JACOBIAN = 2**20  # entries of the Jacobian beyond which rows are made room for as they come
_NONZEROS = 12  # entries of a sparse row to begin with: those of a contact between free bodies
_HESSIAN = 1000  # dofs beyond which the Newton solver's matrix is made when it is needed

# Where one island holds everything, its problem is the whole problem: not copied, but read under both names.
_IN_ISLAND_ORDER = {
    "ifrc_smooth": "qfrc_smooth", "iacc_smooth": "qacc_smooth", "iacc": "qacc", "ifrc_constraint": "qfrc_constraint",
    "iM_rownnz": "M_rownnz", "iM_rowadr": "M_rowadr", "iM_colind": "M_colind", "iM": "M", "iLD": "qLD", "iLDiagInv": "qLDiagInv",
} | {
    f"iefc_{n}": f"efc_{n}" for n in (
        "type", "id", "J_rownnz", "J_rowadr", "J_rowsuper", "J_colind", "J", "frictionloss", "D", "R", "aref", "state", "force",
    )
}  # fmt: skip


# Belongs to the data that record, not to their copies.
_OWN = {f.name for f in RECORD}

# Fields whose size never changes, and that tell of nothing whose size does.
_GROWING = ("max", "need")
_FIXED = [f.name for f in DATA if f.unit != ADDRESS and f.name not in _OWN | {g.used for g in DATA}
          and not any(str(n).startswith(_GROWING) for n in (f.name, *f.shape))]


class Contacts(Rows):
    """`d.contact`: the detected contacts; `geom1` and `geom2` are the columns of `geom`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name in ("geom1", "geom2"):
            return self._block.contact_geom[:, int(name == "geom2")]
        return super().__getattr__(name)


class Data(DataNames, DataBlock, struct=DATA_LAYOUT):
    """State, inputs and everything computed from them, by MuJoCo's names and shapes."""

    _taps: list[Any]  # of observe/tap.py, which alone reads them

    def __init__(self, model: Model) -> None:
        """Memory for a model, in its initial state. Raises ModelError where that is too much."""
        nv = model.nv
        sparse, words = model.sparse, -(-model.ntree // 64)
        rows = max(_ROWS, 4 * nv if sparse else min(4 * nv, _JACOBIAN // max(1, nv)))
        capacities = {"maxcon": _CONTACTS, "maxefc": rows, "maxJ": rows * (_NONZEROS if sparse else nv), "maxA": 0, "maxD": 0,
                      "maxL": 0, "maxlane": 0, "maxR": 0, "maxS": 0, "maxH": 0 if sparse or nv > _HESSIAN else nv * nv,
                      "maxisland": model.ntree, "maxbits": model.ntree * words,
                      "nslotm": MODEL_LAYOUT.nslot, "nslotd": DATA_LAYOUT.nslot}  # fmt: skip
        self._allocate(model.sizes() | capacities)
        self._model = model
        self.contact: declared.ContactRows = Contacts.of(self, "contact_")
        self.solver: declared.SolverIterationRows = Rows.of(self, "solverstat_")
        self.warning: declared.WarningCountRows = Rows.of(self, "warning_")
        self.timer: declared.TimerRows = Rows.of(self, "timer_")
        initial_state(model, self)

    def like(self, model: Model) -> Self:
        """Data of the same class for another model, in its initial state, all awake. Raises ModelError where that is too much."""
        made = type(self).__new__(type(self))
        Data.__init__(made, model)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """For copy.copy, copy.deepcopy and pickle: data of their own, with the same values."""
        return type(self), (self._model,), self._values()

    @property
    def model(self) -> Model:
        """The model these data belong to."""
        return self._model

    def grow_contacts(self, need: int) -> None:
        """Room for at least `need` contacts; what is stored stays, addresses change. Raises ModelError for too many."""
        self._grow_for(
            f"{need} contacts", "contype, conaffinity and <exclude> keep apart what need not collide",
            maxcon=(need, max(need, 2 * self.maxcon)),
        )  # fmt: skip

    def grow_rows(self, need: int) -> None:
        """Room for at least `need` constraint rows, their Jacobian, and (where the dual is used) their matrix.

        Raises ModelError for too many.
        """
        rows, nv = max(need, self.maxefc * 3 // 2), self._model.nv
        sparse = self._model.sparse
        dual = {"maxA": (need * need, rows * rows)} if self.maxA and not sparse else {}
        entries = (self.needJ, self.needJ * 3 // 2) if sparse else (need * nv, rows * nv)
        self._grow_for(
            f"{need} constraint rows of {nv} dofs", "fewer or frictionless (condim) contacts need fewer rows, and so does cone "
            "elliptic" + ("; solver Newton or CG has no matrix efc_AR" if dual else ""),
            maxJ=entries, maxefc=(need, rows), **dual,
        )  # fmt: skip

    def grow_dual(self, need: int) -> None:
        """Room for at least `need` entries of efc_AR, the matrix of the dual solvers. Raises ModelError for too many."""
        self._grow_for(
            f"the matrix efc_AR of {math.isqrt(need)} constraint rows", "solver Newton or CG has no such matrix",
            maxA=(need, max(need, self.maxA * 3 // 2)),
        )  # fmt: skip

    def grow_lcp(self, need: int) -> None:
        """Room for at least `need` entries of lcp_half. Raises ModelError for too many."""
        self._grow_for(f"{need} entries of lcp_half", "fewer contacts need fewer", maxL=(need, max(need, self.maxL * 3 // 2)))

    def grow_hessian(self, need: int) -> None:
        """Room for `need` entries of the matrix of the Newton solver. Raises ModelError where it would be too large."""
        wish = need * 3 // 2 if self._model.sparse else need  # the dense one never needs more
        self._grow_for(f"the Hessian of {self._model.nv} dofs", "solver CG has no such matrix", maxH=(need, wish))

    def grow_island(self, need: int) -> None:
        """Room for `need` entries of the dense Jacobian of one island. Raises ModelError where it would be too large."""
        self._grow_for("the Jacobian of an island", "jacobian dense has no such copy", maxD=(need, need * 3 // 2))

    def set_lanes(self, count: int) -> None:
        """Working memory for `count` threads beside the first that solve islands. Raises ModelError for too many."""
        try:
            self._grow("maxlane", count)
        except ModelError as error:
            raise ModelError(f"no room for {count + 1} threads: {error}; fewer (m.tumble.threads) need less") from error
    def start_record(self, stage: int, limit: int, nstart: int) -> None:
        """Have solves recorded by the stage at that address, in at most `limit` numbers; nstart: those of the state."""
        self._grow("maxS", nstart)
        self.record_stage, self.record_limit = stage, limit

    def stop_record(self) -> None:
        """Record no more, and give the memory back."""
        self.record_stage = self.record_limit = self.record_used = self.record_rows = 0
        self._grow("maxR", 0)
        self._grow("maxS", 0)

    def grow_record(self, need: int) -> None:
        """Room for `need` numbers of a record, within its limit; where memory is short, the limit becomes what there is."""
        try:
            self._grow("maxR", min(self.record_limit, max(need, need * 3 // 2)))
        except ModelError as error:
            log.warning("no memory for more iterations of the solver to be recorded: %s", error)
            self.record_limit = self.maxR

    def copy_fixed(self, other: Data) -> None:
        """Take all of other data of the same model but what grows: contacts, rows, islands and what solvers make of them."""
        for name in _FIXED:
            if name in self._arrays:
                self._arrays[name][...] = other._arrays[name]
            else:
                at = self._struct.slot[name]
                self._slots[at] = other._slots[at]

    def _values(self) -> dict[str, Any]:
        """Every value by name, but for addresses and records: a copy records nothing."""
        values = super()._values()
        return {name: value for name, value in values.items() if name not in _OWN}

    def _grow_for(self, what: str, remedy: str, **capacities: tuple[int, int]) -> None:
        """Grow capacities: each to the second number, which has room to spare, or where that is too much to the first."""
        for wish in (1, 0):
            try:
                for name, values in capacities.items():
                    self._grow(name, max(values[wish], getattr(self, name)))
                return
            except ModelError as error:
                if wish == 0:
                    raise ModelError(f"no room for {what}: {error}; {remedy}") from error


def _either(name: str, whole: str) -> property:
    """The property of a field in the order of islands."""
    own = Data.__dict__[name]

    def get(self: Data) -> Any:
        if not self.island_whole:
            return own.fget(self)
        return getattr(self if whole in DATA_LAYOUT.fields else self.model, whole)

    return property(get, own.fset, doc=own.__doc__)


for _name, _whole in _IN_ISLAND_ORDER.items():
    setattr(Data, _name, _either(_name, _whole))

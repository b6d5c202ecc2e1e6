"""The memory of a simulation: `MjData`."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from tumble.physics.base import clock
from tumble.physics.errors import ArgumentError, ModelError, TooDeepError, quoted
from tumble.physics.state.block import ADDRESS
from tumble.physics.state.constants import mjMINAWAKE
from tumble.physics.state.enums import mjtEnableBit, mjtSleepState
from tumble.physics.state.fields import DATA
from tumble.physics.state.fields.buffers import BUFFERS, BY_CAPACITY, CAPACITY
from tumble.physics.state.fields.scratch import RECORD
from tumble.physics.state.history import begin_history
from tumble.physics.state.layout import DATA_LAYOUT, MODEL_LAYOUT
from tumble.physics.state.model import Model
from tumble.physics.state.named import DataNames
from tumble.physics.state.structs.results import MjContactList, MjSolverStatList, MjTimerStatList, MjWarningStatList

if TYPE_CHECKING:
    from tumble.physics.state.declared import DataBlock
else:
    from tumble.physics.state.block import Block as DataBlock

log = logging.getLogger(__name__)

# Where one island holds everything, its problem is the whole problem: not copied, but read under both names.
_IN_ISLAND_ORDER = {
    "ifrc_smooth": "qfrc_smooth", "iacc_smooth": "qacc_smooth", "iacc": "qacc", "ifrc_constraint": "qfrc_constraint",
    "iM_rownnz": "M_rownnz", "iM_rowadr": "M_rowadr", "iM_colind": "M_colind", "iM": "M", "iLD": "qLD", "iLDiagInv": "qLDiagInv",
} | {
    f"iefc_{n}": f"efc_{n}" for n in (
        "type", "id", "J_rownnz", "J_rowadr", "J_rowsuper", "J_colind", "J", "frictionloss", "D", "R", "aref", "state", "force",
    )
}  # fmt: skip


# Belongs to the data that record, not to their copies: all of a record, the room for it, and how far the present call is.
_ROOM = {str(n) for f in RECORD for n in f.shape}
_OWN = {f.name for f in RECORD} | _ROOM | {BY_CAPACITY[capacity].need for capacity in _ROOM} | {"steps", "failed"}

# What a reset leaves: room that was made, recording, who looks on, and the count of runs.
_KEPT = BY_CAPACITY.keys() | {"record_stage", "record_limit", "tap", "resets", "steps"}

_FLAGS, _SLEEP = MODEL_LAYOUT.slot["opt_enableflags"], int(mjtEnableBit.mjENBL_SLEEP)
_DEEPEST = 30  # callbacks within callbacks: each takes some ten calls of Python's

_CLEARED = np.array([DATA_LAYOUT.slot[f.name] for f in DATA if f.shape == () and f.name not in _KEPT])

# What copies of data have of them: arrays, and the slots of numbers.
ARRAYS = frozenset(f.name for f in DATA if f.shape)
COPIED = frozenset(f.name for f in DATA if f.shape and f.unit != ADDRESS) - _OWN
COPIED_NUMBERS = np.array([DATA_LAYOUT.slot[f.name] for f in DATA if f.shape == () and f.unit != ADDRESS and f.name not in _OWN])

# What the rules of growth read.
_GROWN_BY = (*(f.name for f in CAPACITY), "needJ", "record_limit")

# Fields whose size never changes, and that tell of nothing whose size does.
_GROWING = ("max", "need")
_COUNTS = {f.used for f in DATA}
_FIXED = [f.name for f in DATA if f.unit != ADDRESS and f.name not in _OWN | _COUNTS
          and not any(str(n).startswith(_GROWING) for n in (f.name, *f.shape))]

# What a reset writes, but for what grows: no step reads more of that than counts say, and those are among the numbers.
_RESET_NUMBERS = [f.name for f in DATA if f.shape == () and f.unit != ADDRESS and f.name not in _KEPT | _OWN]
_RESET_ARRAYS = [name for name in _FIXED if DATA_LAYOUT.fields[name].shape != ()]


# The numbers that say how much is awake.
_AWAKE = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake", "awake_nrun", "static_ready")
_AWAKE_SLOTS = np.array([DATA_LAYOUT.slot[name] for name in _AWAKE])


# Whole numbers that programs may write, for no kernel follows them, or, of tree_asleep, `take` looks first; counts they may only
# make less. All other whole numbers are indices, kinds, counts and addresses of the engine's own.
_OPEN = re.compile(
    "eq_active|tree_asleep|warning_.*|timer_.*|solver_.*|solverstat_.*|bvh_active|contact_exclude|efc_state|failed|maxuse_.*|flg_(energy|subtree|rne).*"
)
_COUNTED = frozenset(("ncon", "ne", "nf", "nl", "nefc"))
LOCKED = frozenset(f.name for f in DATA if not f.dtype.startswith("f") and not _OPEN.fullmatch(f.name)) - _COUNTED


class Data(DataNames, DataBlock, struct=DATA_LAYOUT, locked=LOCKED, counts=_COUNTED):
    """State, inputs and everything computed from them, by MuJoCo's names and shapes."""

    _taps: list[Any]  # of observe/tap.py, which alone reads them
    raised: BaseException | None = None  # what a callback raised, until the kernels that called it have returned
    form: tuple[int, ...] | None = None  # of the options that its rows were made for: see dispatch/room.py
    repeated = 0  # how often the present step was done again because a callback reset the data

    def __init__(self, model: Model) -> None:
        """Memory for a model, in its initial state. Raises ModelError if that is too much."""
        if not isinstance(model, Model):
            raise ArgumentError(f"data are made for an MjModel, not for {quoted(model)}")
        if model.lock.due:
            model.settle()
        sizes = model.sizes() | {"sparse": int(model.sparse)}
        capacities = {buffer.capacity: buffer.begin(sizes) for buffer in BUFFERS}
        words = {"maxbits": model.ntree * -(-model.ntree // 64), "nslotm": MODEL_LAYOUT.nslot, "nslotd": DATA_LAYOUT.nslot}
        self._allocate(sizes | capacities | words)
        self._model = model
        self._taken = RLock()
        self._contact, self._solver = MjContactList.of(self), MjSolverStatList.of(self)
        self._warning, self._timer = MjWarningStatList.of(self), MjTimerStatList.of(self)
        self._plugin_data = np.zeros(model.nplugin, np.uint64)
        self.lock.closed = True
        self.begin(model)

    def like(self, model: Model) -> Self:
        """Data of the same class for another model, in its initial state, all awake. Raises ModelError if that is too much."""
        made = type(self).__new__(type(self))
        Data.__init__(made, model)
        return made

    def _beginning(self) -> tuple[Any, ...]:
        return (self._model,)

    @property
    def model(self) -> Model:
        """The model these data belong to."""
        return self._model

    @property
    def contact(self) -> MjContactList:
        """The detected contacts."""
        return self._contact

    @property
    def solver(self) -> MjSolverStatList:
        """Statistics of the solver's iterations."""
        return self._solver

    @property
    def warning(self) -> MjWarningStatList:
        """Counts of warnings by kind."""
        return self._warning

    @property
    def timer(self) -> MjTimerStatList:
        """The time that each part of the pipeline took."""
        return self._timer

    @property
    def plugin(self) -> np.ndarray:
        """The plugin of each instance, as the model has it [1], shape ('nplugin',)."""
        return self._model.plugin

    @property
    def plugin_data(self) -> np.ndarray:
        """Addresses of plugin instances' own data: always 0 in this engine, shape ('nplugin',)."""
        return self._plugin_data

    def require(self, m: Model) -> None:
        """Raise ModelError unless the model has the sizes of the one these data belong to: kernels would leave the memory.

        Raises ArgumentError for what is no model, and for contacts that were written and that kernels cannot follow.
        """
        if self._model is not m:
            if not isinstance(m, Model):
                raise not_a_pair(m, self)
            if not self._model.has_sizes_of(m):
                raise ModelError("the data belong to a model of other sizes")
        if m.lock.due:
            m.settle()
        if self.lock.written:
            self._check_contacts(m)

    def _check_contacts(self, m: Model) -> None:
        """Raise ArgumentError for a contact that kernels cannot follow; then there are no contacts and rows any more."""
        self.lock.written = False
        try:
            for contact in self.contact:
                require_contact(m, contact._values(), self.nefc)
        except ArgumentError:
            for count in _COUNTED:
                self.put_number(count, 0)
            raise

    def take(self, m: Model) -> None:
        """Let no other thread run kernels on these data until `give`; a thread may take them again, as callbacks do.

        Raises ModelError as `require`, for a tree that cannot sleep so, and where another thread has them: two would leave the
        memory that one of them grows; TooDeepError where callbacks have called what called them too often.
        """
        self.require(m)
        if m._slots.item(_FLAGS) & _SLEEP and (self._arrays["tree_asleep"] >= m.ntree).any():
            raise ModelError(f"tree_asleep is negative, or the next of the trees that sleep together, below {m.ntree}")
        if self.calling > _DEEPEST:
            raise TooDeepError(f"callbacks have called what called them {_DEEPEST} times over")
        if not self._taken.acquire(False):
            raise ModelError("another thread is at work on these data: each thread needs data of its own")

    def give(self) -> None:
        """Let others have what was taken."""
        self._taken.release()

    @contextmanager
    def interpreted(self) -> Iterator[None]:
        """Kernels that run as Python in the block write to the data as the engine does."""
        self.lock.closed = False
        try:
            yield
        finally:
            self.lock.closed = True

    def begin(self, m: Model) -> None:
        """Bring data whose arrays are all zero to the model's qpos0, at rest, awake, all inputs and results zero."""
        self._slots[_CLEARED] = 0
        self.form = None
        self.put_number("resets", self.resets + 1)
        if self.calling:
            self.moved += 1
        source, number = clock.source(self)
        self.put_number("clock", source)
        self.put_number("clock_id", number)
        self._arrays["qpos"][...] = m._arrays["qpos0"]
        self._arrays["eq_active"][...] = m._arrays["eq_active0"]
        if m.nmocap:
            bodies = np.flatnonzero(m.body_mocapid >= 0)
            self.mocap_pos[m.body_mocapid[bodies]] = m.body_pos[bodies]
            self.mocap_quat[m.body_mocapid[bodies]] = m.body_quat[bodies]
        begin_history(m, self.history)
        self.wake_all(m)

    def wake_all(self, m: Model) -> None:
        """Wake everything, and have the poses of static bodies computed again: the state of sleep that data begin with."""
        kinds = (m._arrays[name].tobytes() for name in ("body_mocapid", "body_rootid", "body_weldid"))
        arrays, numbers = _all_awake(m.ntree, m.nv, m.njnt, *kinds)
        for name, values in arrays:
            self._arrays[name][: len(values)] = values
        self._slots[_AWAKE_SLOTS] = numbers

    def grow(self, capacity: str, need: int) -> None:
        """Room for at least `need` entries of a buffer (state/fields/buffers.py) and of what grows with it.

        What is stored stays, addresses change. Raises ModelError if there is no memory for it, naming what needs less.
        """
        rule = BY_CAPACITY[capacity].growth
        if rule is None:
            raise ValueError(f"{capacity} does not grow by itself")
        now = self._model.sizes() | {"sparse": self.flg_sparse} | {name: getattr(self, name) for name in _GROWN_BY}
        growth = rule(now, need)
        for wish in (1, 0):
            try:
                for name, sizes in growth.capacities.items():
                    self._grow(name, sizes[wish] if growth.exact else max(sizes[wish], getattr(self, name)))
                return
            except ModelError as error:
                if wish:
                    continue
                if not growth.limit:
                    raise ModelError(f"no room for {growth.what}: {error}; {growth.remedy}") from error
                log.warning("no memory for %s: %s", growth.what, error)
                self.put_number(growth.limit, getattr(self, capacity))

    def start_record(self, stage: int, limit: int, nstart: int) -> None:
        """Have solves recorded by the stage at that address, in at most `limit` numbers; nstart: those of the state."""
        self._grow("maxS", nstart)
        self.inner.record_stage, self.inner.record_limit = stage, limit

    def stop_record(self) -> None:
        """Record no more, and give the memory back."""
        for name in ("record_stage", "record_limit", "record_used", "record_rows"):
            self.put_number(name, 0)
        self._grow("maxR", 0)
        self._grow("maxS", 0)

    def copy_numbers(self, other: Data) -> None:
        """Take the numbers of other data that copies have of them."""
        self._slots[COPIED_NUMBERS] = other._slots[COPIED_NUMBERS]
        self.form = other.form

    def copy_fixed(self, other: Data) -> None:
        """Take all of other data of the same model but what grows: contacts, rows, islands and what solvers make of them."""
        for name in _FIXED:
            if name in self._arrays:
                self._arrays[name][...] = other._arrays[name]
            else:
                at = self._struct.slot[name]
                self._slots[at] = other._slots[at]

    def reset_places(self) -> tuple[list[tuple[int, int, int]], np.ndarray]:
        """Contents of a reset: rows of places and nonzero words, as step/rollout.py reads them."""
        slot, words = self._struct.slot, [np.zeros(0, np.int64)]
        places, at = [], 0
        for name in _RESET_NUMBERS:
            words.append(self._slots[slot[name] : slot[name] + 1])
            places.append((slot[name], 0, at))
            at += 1
        for name in _RESET_ARRAYS:
            array = self._arrays[name]
            if not array.any():
                places += [(slot[name], -(-array.nbytes // 8), -1)] if array.size else []
                continue
            held = np.zeros(-(-array.nbytes // 8), np.int64)
            held.view(np.uint8)[: array.nbytes] = array.reshape(-1).view(np.uint8)
            words.append(held)
            places.append((slot[name], len(held), at))
            at += len(held)
        return places, np.concatenate(words)

    def _values(self) -> dict[str, Any]:
        """Every value by name, but for addresses and records: a copy records nothing."""
        values = super()._values()
        return {name: value for name, value in values.items() if name not in _OWN}


@lru_cache(maxsize=32)  # whoever resets does so again
def _all_awake(
    ntree: int, nv: int, njnt: int, mocapid: bytes, rootid: bytes, weldid: bytes
) -> tuple[tuple[tuple[str, np.ndarray], ...], np.ndarray]:
    """First rows of arrays, and the numbers of _AWAKE, of data of which everything is awake."""
    mocap, root, weld = (np.frombuffer(ids, np.int32) for ids in (mocapid, rootid, weldid))
    nbody = len(root)
    follows = mocap[root] >= 0  # a mocap body, or fixed to one
    static = (weld == 0) & ~follows
    after = np.arange(1, nbody + 1)
    after[-1:] = 0
    runs = [("awake_tree", ntree), ("awake_dof", nv), ("awake_joint", njnt)] if ntree else []
    arrays = {
        "tree_asleep": np.full(ntree, -1 - mjMINAWAKE),
        "tree_awake": np.ones(ntree),
        "body_awake": np.where(static, mjtSleepState.mjS_STATIC, mjtSleepState.mjS_AWAKE),
        "body_stirs": np.ones(nbody),
        "body_awake_ind": np.arange(nbody),
        "dof_awake_ind": np.arange(nv),
        "parent_awake_ind": after,
        **{name: np.array([(0, count)]) for name, count in runs},
    }
    typed = tuple((name, values.astype(DATA_LAYOUT.fields[name].dtype)) for name, values in arrays.items())
    return typed, np.array([ntree, nbody, nbody - 1, nv, min(1, ntree), 0])


def require_contact(m: Model, values: Mapping[str, Any], rows: int) -> None:
    """Raise ArgumentError unless kernels can follow a contact: it has a dimension that there is, and two sides of the model."""
    if int(values["dim"]) not in (1, 3, 4, 6):
        raise ArgumentError(f"contact: dim is 1, 3, 4 or 6, not {int(values['dim'])}")
    _require_below("efc_address", int(values["efc_address"]), rows, least=-1)
    for side in range(2):
        geom, flex, elem, vert = (int(values[name][side]) for name in ("geom", "flex", "elem", "vert"))
        if geom >= 0:
            _require_below(f"geom{side + 1}", geom, m.ngeom)
            continue
        _require_below(f"flex {side + 1}, where geom{side + 1} is {geom},", flex, m.nflex)
        _require_below(f"elem {side + 1}", elem, int(m.flex_elemnum[flex]), least=-1)
        _require_below(f"vert {side + 1}", vert, int(m.flex_vertnum[flex]), least=-1)
        if elem < 0 and vert < 0:
            raise ArgumentError(f"contact: side {side + 1} is a flex, and has neither element nor vertex")


def _require_below(what: str, number: int, count: int, least: int = 0) -> None:
    if not least <= number < count:
        raise ArgumentError(f"contact: {what} should be from {least} to {count - 1}, not {number}")


def not_a_pair(m: object, d: object) -> ArgumentError:
    """The error of arguments that are not a model and its data."""
    return ArgumentError(f"the arguments should be an MjModel and its MjData; they are {type(m).__name__} and {type(d).__name__}")


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

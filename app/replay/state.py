"""The state that a step depends on, saved and restored so that the steps that follow are the same to the last bit.

It is that of mjSTATE_INTEGRATION, and with sleep: which trees sleep, and where the mocap bodies were. All other data follow
from it (`State.place`), so a replay brings numbers, and no index or address that a kernel trusts.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble import physics
from tumble.physics.state.components import parts_of
from tumble.physics.state.constants import mjMINAWAKE

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[Any]
SPEC = int(physics.mjtState.mjSTATE_INTEGRATION)
INPUT = int(physics.mjtState.mjSTATE_USER)
OWN = SPEC & ~(INPUT | int(physics.mjtState.mjSTATE_PLUGIN))  # changed by the simulation itself; it comes first
SLEEP = int(physics.mjtEnableBit.mjENBL_SLEEP)


class ReplayError(Exception):
    """A replay that cannot be made, read or run; the message gives the reason."""


class State(Struct):
    """values: mjSTATE_INTEGRATION; asleep: tree_asleep (ntree,); mocap: pose of each mocap body at the last step (7 nmocap,)."""

    values: Array
    asleep: Array
    mocap: Array

    @property
    def nbytes(self) -> int:
        """Memory in use [bytes]."""
        return int(self.values.nbytes + self.asleep.nbytes + self.mocap.nbytes)

    def digest(self) -> int:
        """64-bit digest of this state."""
        result = hashlib.blake2b(self.values.tobytes(), digest_size=8)
        result.update(self.asleep.astype(np.int32).tobytes())
        return int.from_bytes(result.digest(), "little", signed=True)

    def place(self, model: MjModel, data: MjData) -> None:
        """Set this state on data, so that the steps that follow are the same to the last bit."""
        physics.mj_setState(model, data, self.values, SPEC)
        if not model.opt.enableflags & SLEEP:
            return
        # Sleeping trees keep the values that they had when they fell asleep.
        data.wake_all(model)
        physics.mj_forward(model, data)
        physics.mj_setState(model, data, self.values, SPEC)
        data.inner.tree_asleep = self.asleep
        data.inner.sleep_leader = leaders(self.asleep)
        data.sleep_qpos = data.qpos
        data.sleep_mocap = self.mocap.reshape(-1, 7)
        data.qacc_smooth[_never_awake(model, data)] = 0.0  # a step copies it to the warm start, with which the tree wakes


def _never_awake(model: MjModel, data: MjData) -> Array:
    """The dofs of trees that sleep since the beginning: nothing has computed their accelerations yet."""
    trees = data.tree_asleep[model.dof_treeid] >= 0
    moved = np.zeros(model.ntree, bool)
    moved[model.dof_treeid[data.qacc_warmstart != 0.0]] = True
    return trees & ~moved[model.dof_treeid]


class Reader:
    """Reads the state of one data, and writes its inputs, at the cost of a copy: the places are looked up once."""

    def __init__(self, model: MjModel, data: MjData) -> None:
        self._data = data
        fields = [name for name, _ in parts_of(model, SPEC)]
        assert fields[0] == "time"
        self._views = [np.ravel(getattr(data, name)) for name in fields[1:]]
        assert all(
            np.shares_memory(view, getattr(data, name)) for view, name in zip(self._views, fields[1:], strict=True) if view.size
        )
        self._time = np.empty(1)
        self.own = physics.mj_stateSize(model, OWN)  # numbers that are the simulation's own; the inputs come after them
        self.inputs = physics.mj_stateSize(model, INPUT)
        names = {name for name, _ in parts_of(model, INPUT)}
        self._input_views = [view for view, name in zip(self._views, fields[1:], strict=True) if name in names]

    def read(self) -> State:
        """The present state."""
        self._time[0] = self._data.time
        values = np.concatenate([self._time, *self._views])
        return State(values, np.array(self._data.tree_asleep), np.array(self._data.sleep_mocap).ravel())

    def write_inputs(self, index: Array, value: Array) -> None:
        """Set inputs by their indices in mjSTATE_USER."""
        inputs = np.concatenate(self._input_views).astype(np.float64)
        inputs[index] = value
        at = 0
        for view in self._input_views:
            view[:] = inputs[at : at + view.size]
            at += view.size


def same_bits(a: Array, b: Array) -> bool:
    """Bitwise equality: a velocity of minus zero wakes a sleeping tree."""
    return a.tobytes() == b.tobytes()


def leaders(asleep: Array) -> Array:
    """For each sleeping tree the lowest of its cycle; asleep: tree_asleep (ntree,). Raises ReplayError if there is no cycle."""
    result = np.zeros(len(asleep), np.int32)
    sleepers = np.flatnonzero(asleep >= 0)
    if np.any(asleep < -1 - mjMINAWAKE) or sorted(asleep[sleepers]) != list(sleepers):
        raise ReplayError("damaged: the trees that sleep are not cycles")
    for tree in sleepers:
        cycle, following = [int(tree)], int(asleep[tree])
        while following != tree:
            cycle.append(following)
            following = int(asleep[following])
        result[tree] = min(cycle)
    return result


class TapeKey(Struct):
    """The state at a position. jump: no step has led there."""

    step: int
    state: State
    jump: bool = False
    _digest: int | None = None

    def digest(self) -> int:
        """Digest of the state; cached, because parts of the tape are cut repeatedly."""
        if self._digest is None:
            self._digest = self.state.digest()
        return self._digest

"""What a replay holds beside the model: events by the number of the step that they come before.

Three kinds. A jump is a whole state: where the run begins, and wherever something other than a step changed it (a reset, a
joint moved by hand). A change of an input is one number of what a user gives the simulation (mjSTATE_USER: controls,
applied forces, mocap poses, ...). A change of the model is one number of one of its fields.

The state that a step depends on is that of mjSTATE_INTEGRATION, and with sleep: who sleeps, and where the mocap bodies were.
All else in the data follows from it (`place`), so a replay brings numbers, and no index or address that a kernel trusts.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

import physics
from physics.state.constants import mjMINAWAKE
from physics.state.fields import MODEL, Field
from physics.state.reset import all_awake

Array = NDArray[Any]
SPEC = int(physics.mjtState.mjSTATE_INTEGRATION)
INPUT = int(physics.mjtState.mjSTATE_USER)
OWN = SPEC & ~(INPUT | int(physics.mjtState.mjSTATE_PLUGIN))  # what the simulation itself changes; it comes first
# Steps between two digests of the state, by which a replay notices that it has gone another way.
CHECK_EVERY = 250
SLEEP = int(physics.mjtEnableBit.mjENBL_SLEEP)

# What may become of whole numbers of a model that runs (physics/compiler/changes.py): the least and the most, or a size of the
# model that they stay below. None of them tells a kernel where in memory something is.
_ANY, _SWITCH = (-(2**31), 2**31 - 1), (0, 1)
_WHOLE: dict[str, tuple[int, int | str]] = {
    "opt_*": _ANY, "tumble_*": _ANY, "vis_*": _ANY, "*_group": _ANY, "*_contype": _ANY, "*_conaffinity": _ANY, "*_priority": _ANY,
    "*_condim": (1, 6), "pair_dim": (1, 6), "*limited": _SWITCH, "light_castshadow": _SWITCH, "light_active": _SWITCH,
    "eq_active0": _SWITCH, "*_matid": (-1, "nmat"), "*_texid": (-1, "ntex"), "tree_sleep_policy": (0, 5),
    "*_sameframe": (0, 4), "cam_resolution": (0, 2**16),
}  # fmt: skip
# What a model keeps of its assets stays as it was compiled, and may be large.
_KEPT = ("collide_*", "mesh_*", "skin_*", "hfield_data", "bvh_*", "oct_*", "flexedge_*", "flexvert_*")


def limits(f: Field) -> tuple[float, float | str] | None:
    """Between what the numbers of a field of the model may change while it runs; None: they may not."""
    if any(fnmatchcase(f.name, pattern) for pattern in _KEPT):
        return None
    if f.dtype.startswith("f"):
        return -math.inf, math.inf
    return next((range_ for pattern, range_ in _WHOLE.items() if fnmatchcase(f.name, pattern)), None)


EDITABLE = {f.name: f for f in MODEL if limits(f) is not None}


class ReplayError(Exception):
    """A replay that cannot be made, read or run; the message says why."""


@dataclass(slots=True)
class State:
    """values: mjSTATE_INTEGRATION; asleep: tree_asleep (ntree,); mocap: pose of each mocap body at the last step (7 nmocap,)."""

    values: Array
    asleep: Array
    mocap: Array

    @classmethod
    def of(cls, model: Any, data: Any) -> State:
        """The present state."""
        values = np.empty(physics.mj_stateSize(model, SPEC))
        physics.mj_getState(model, data, values, SPEC)
        return cls(values, np.array(data.tree_asleep), np.array(data.sleep_mocap).ravel())

    def digest(self) -> int:
        """64 bits that tell this state from others."""
        whole = hashlib.blake2b(self.values.tobytes(), digest_size=8)
        whole.update(self.asleep.astype(np.int32).tobytes())
        return int.from_bytes(whole.digest(), "little", signed=True)

    def place(self, model: Any, data: Any) -> None:
        """Give data this state, so that the steps that follow are the same to the last bit."""
        physics.mj_setState(model, data, self.values, SPEC)
        if not model.opt.enableflags & SLEEP:
            return
        # What sleepers left behind when they fell asleep is what they have at rest where they are.
        all_awake(model, data)
        physics.mj_forward(model, data)
        physics.mj_setState(model, data, self.values, SPEC)
        data.tree_asleep = self.asleep
        data.sleep_leader = leaders(self.asleep)
        data.sleep_qpos = data.qpos
        data.sleep_mocap = self.mocap.reshape(-1, 7)


def leaders(asleep: Array) -> Array:
    """Of each sleeping tree the lowest of its cycle; asleep: tree_asleep (ntree,). Raises ReplayError for what is no cycle."""
    result = np.zeros(len(asleep), np.int32)
    sleepers = np.flatnonzero(asleep >= 0)
    if np.any(asleep < -1 - mjMINAWAKE) or sorted(asleep[sleepers]) != list(sleepers):
        raise ReplayError("damaged: the trees that sleep are no cycles")
    for tree in sleepers:
        cycle, following = [int(tree)], int(asleep[tree])
        while following != tree:
            cycle.append(following)
            following = int(asleep[following])
        result[tree] = min(cycle)
    return result


@dataclass(slots=True)
class Changes:
    """Numbers that change: before which step, which number (in the inputs, or in a field), and what it then is.

    field: for changes of the model, which of `Timeline.fields`.
    """

    step: list[Array] = field(default_factory=list)
    index: list[Array] = field(default_factory=list)
    value: list[Array] = field(default_factory=list)
    field: list[Array] = field(default_factory=list)

    def add(self, step: int, index: Array, value: Array, field: int = 0) -> None:
        """Numbers that change together."""
        self.step.append(np.full(len(index), step, np.int64))
        self.index.append(np.asarray(index, np.int64))
        self.value.append(np.array(value, np.float64))
        self.field.append(np.full(len(index), field, np.int64))

    def columns(self) -> dict[str, Array]:
        """The four columns, each in one piece."""
        kinds = {"step": np.int64, "index": np.int64, "value": np.float64, "field": np.int64}
        return {name: np.concatenate([np.zeros(0, kind), *getattr(self, name)]) for name, kind in kinds.items()}


@dataclass(frozen=True, slots=True)
class Timeline:
    """All events in the order of their steps, as arrays.

    steps: taken in all; fields: names of the model's fields that changed; edits, inputs: columns of `Changes`;
    jump_step (n,), jump_values (n, size), jump_asleep (n, ntree), jump_mocap (n, 7 nmocap); check_step, check_digest: of the
    state after so many steps.
    """

    steps: int
    fields: tuple[str, ...]
    edits: dict[str, Array]
    inputs: dict[str, Array]
    jump_step: Array
    jump_values: Array
    jump_asleep: Array
    jump_mocap: Array
    check_step: Array
    check_digest: Array

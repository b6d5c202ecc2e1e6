"""The contents of a replay other than the model: events by the number of the step that they come before.

Three kinds. A jump is a full state: at the start of the run, and whenever something other than a step changed it (a reset, a
joint moved by the user). A change of an input is one number of what a user gives the simulation (mjSTATE_USER: controls,
applied forces, mocap poses, ...). A change of the model is one number of one of its fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Array = NDArray[Any]


class Timeline(Struct, frozen=True):
    """All events in the order of their steps, as arrays.

    steps: taken in all; fields: names of the model's fields that changed; edits, inputs: `columns`; jump_step (n,),
    jump_values (n, size), jump_asleep (n, ntree), jump_mocap (n, 7 nmocap); check_step, check_digest: of the state after so
    many steps, and after what came before the next.
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


class NumberChanges(Struct, frozen=True):
    """Numbers that change together: the step before which they change, their indices, and new values.

    field: for changes of the model, which of `Timeline.fields`.
    """

    step: int
    index: Array
    value: Array
    field: int = 0


def columns(changes: Sequence[NumberChanges]) -> dict[str, Array]:
    """Changes as four columns, a row a number."""
    sizes = [len(change.index) for change in changes]
    nothing = np.zeros(0)
    return {
        "step": np.repeat(np.array([change.step for change in changes], np.int64), sizes),
        "index": np.concatenate([nothing, *(change.index for change in changes)]).astype(np.int64),
        "value": np.concatenate([nothing, *(change.value for change in changes)]),
        "field": np.repeat(np.array([change.field for change in changes], np.int64), sizes),
    }


def changes_of(table: dict[str, Array]) -> list[NumberChanges]:
    """The changes in four columns: rows that follow each other with the same step and field are one."""
    step, field = table["step"], table["field"]
    if len(step) == 0:
        return []
    ends = [*(np.flatnonzero((np.diff(step) != 0) | (np.diff(field) != 0)) + 1).tolist(), len(step)]
    parts = [slice(a, b) for a, b in zip([0, *ends[:-1]], ends, strict=True)]
    return [NumberChanges(int(step[p.start]), table["index"][p], table["value"][p], int(field[p.start])) for p in parts]

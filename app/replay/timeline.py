"""The contents of a replay other than the model: events by the number of the step that they come before.

Three kinds. A jump is a full state: at the start of the run, and whenever something other than a step changed it (a reset, a
joint moved by the user). A change of an input is one number of what a user gives the simulation (mjSTATE_USER: controls,
applied forces, mocap poses, ...). A change of the model is one number of one of its fields that may change while it runs.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.replay.state import same_bits
from tumble.physics.state.fields import MODEL

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.state.fields import Field

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


# Valid ranges of integers of a running model (physics/changes.py): the least and the most, or a size of the
# model that they stay below. None of them is an address or index in memory for a kernel.
_ANY, _SWITCH = (-(2**31), 2**31 - 1), (0, 1)
_WHOLE: dict[str, tuple[int, int | str]] = {
    "(opt|tumble|vis)_.*|.*_(group|contype|conaffinity|priority)": _ANY,
    ".*_condim|pair_dim": (1, 6),
    ".*limited|light_castshadow|light_active|eq_active0": _SWITCH,
    ".*_matid": (-1, "nmat"),
    ".*_texid": (-1, "ntex"),
    "tree_sleep_policy": (0, 5),
    ".*_sameframe": (0, 4),
    "cam_resolution": (0, 2**16),
}
# Assets keep their compiled values, and may be large.
_KEPT = re.compile("collide_|mesh_|skin_|bvh_|oct_|flexedge_|flexvert_")


def limits(f: Field) -> tuple[float, float | str] | None:
    """Valid range for changes of the numbers of a model field; None if they may not change."""
    if _KEPT.match(f.name):
        return None
    if f.dtype.startswith("f"):
        return -math.inf, math.inf
    return next((range_ for names, range_ in _WHOLE.items() if re.fullmatch(names, f.name)), None)


_PLACES = frozenset(("geom_pos", "geom_quat", "geom_aabb", "body_ipos", "body_iquat"))  # boxes about geoms follow from them
EDITABLE = {f.name: f for f in MODEL if limits(f) is not None}


class Edit(Struct, frozen=True):
    """Numbers of a field, by their places in it in memory's order, that were changed before a step."""

    step: int
    name: str
    index: Array
    old: Array
    new: Array


class Numbers:
    """The known numbers of a model.

    first: initial values of the changed fields, by name.
    """

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._known: dict[str, Array] = {name: np.array(getattr(model, name), np.float64).ravel() for name in EDITABLE}
        self.first: dict[str, Array] = {}

    def compare(self, step: int) -> list[Edit]:
        """The numbers that differ from the known ones: they were changed before this step."""
        edits = []
        for name, known in self._known.items():
            now = np.asarray(getattr(self._model, name), np.float64).ravel()
            if same_bits(now, known):
                continue
            index = np.flatnonzero(now.view(np.int64) != known.view(np.int64))
            edits.append(Edit(step, name, index, known[index], now[index].copy()))
            self.first.setdefault(name, known.copy())
            known[index] = now[index]
        return edits

    def make(self, edits: Iterable[Edit]) -> None:
        """Repeat a change of the model's numbers."""
        edits = [*edits]
        for edit in edits:
            self._write(edit.name, edit.index, edit.new)
        self._follow(edit.name for edit in edits)

    def take_back(self, edits: list[Edit]) -> None:
        """Change the model's numbers back, the last change first."""
        for edit in reversed(edits):
            self._write(edit.name, edit.index, edit.old)
        self._follow(edit.name for edit in edits)

    def hold(self, values: Mapping[str, Array]) -> None:
        """Set the fields that have ever changed to these numbers, flat, by name; others get their initial values."""
        for name, first in self.first.items():
            wanted, known = values.get(name, first), self._known[name]
            index = np.flatnonzero(wanted.view(np.int64) != known.view(np.int64))
            if len(index):
                self._write(name, index, wanted[index])
        self._follow(self.first)

    def _follow(self, names: Iterable[str]) -> None:
        """Update what is not recorded because it follows: trees over geoms that have moved in their bodies."""
        if not _PLACES.isdisjoint(names):
            from tumble.physics.compiler.hierarchies import refit_geom_trees

            refit_geom_trees(self._model, range(self._model.nbody))

    def __getitem__(self, name: str) -> Array:
        """A copy of the known values of a field, flat."""
        return self._known[name].copy()

    def _write(self, name: str, index: Array, value: Array) -> None:
        self.first.setdefault(name, self._known[name].copy())
        self._known[name][index] = value
        target = getattr(self._model, name)
        if np.ndim(target) == 0:
            setattr(self._model, name, type(target)(value[-1]))
        else:
            target.reshape(-1)[index] = value

"""A replay file may hold anything: nothing of it is used before it is known to fit the model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tumble.app.replay.recorded_numbers import EDITABLE, limits
from tumble.app.replay.state import Reader, ReplayError, leaders
from tumble.app.replay.timeline import Timeline

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


def require(timeline: Timeline, model: MjModel, data: MjData) -> None:
    """Raise ReplayError if the numbers of a timeline cannot be those of this model."""
    line, reader = timeline, Reader(model, data)
    jumps, state = len(line.jump_step), reader.read()
    _demand(jumps > 0 and line.jump_step[0] == 0, "it has no initial state")
    for name, array, width in (("values", line.jump_values, state.values.size), ("asleep", line.jump_asleep, model.ntree),
                               ("mocap", line.jump_mocap, 7 * model.nmocap)):  # fmt: skip
        _demand(array.shape == (jumps, width), f"jump_{name} has shape {array.shape}, not {(jumps, width)}")
    for row in line.jump_asleep:
        leaders(row)
    for name, steps in (("jump", line.jump_step), ("edit", line.edits["step"]), ("input", line.inputs["step"]),
                        ("check", line.check_step)):  # fmt: skip
        _demand(np.all(np.diff(steps) >= 0) and np.all((steps >= 0) & (steps <= line.steps)), f"{name}s are out of order")
    _demand(np.all(np.diff(line.jump_step) > 0), "two jumps come before the same step")
    _demand(_within(line.inputs["index"], reader.inputs), "an input is none of the model's")
    _demand(_within(line.edits["field"], len(line.fields)), "a change of the model is of no field")
    for number, name in enumerate(line.fields):
        _require_field(line, model, number, name)


def _require_field(line: Timeline, model: MjModel, number: int, name: str) -> None:
    """Check the new value of a model field."""
    _demand(name in EDITABLE, f"{name!r} is not a field of the model that may change")
    chosen = line.edits["field"] == number
    index, value = line.edits["index"][chosen], line.edits["value"][chosen]
    _demand(_within(index, np.size(getattr(model, name))), f"a change of {name} is outside of it")
    _demand(np.all(np.isfinite(value)), f"{name} becomes no number")
    if (valid := EDITABLE[name].valid) is not None:
        _demand(all(map(valid.holds, value.tolist())), f"{name} becomes what it cannot be")
    if EDITABLE[name].dtype.startswith("f"):
        return
    low, high = limits(EDITABLE[name]) or (0, 0)
    most = getattr(model, high) - 1 if isinstance(high, str) else high
    _demand(np.all((value == np.round(value)) & (value >= low) & (value <= most)), f"{name} becomes none of {low} to {most}")
    if high == 6:  # dimensions of a contact
        _demand(np.all(np.isin(value, (1, 3, 4, 6))), f"{name} becomes none of 1, 3, 4, 6")


def _within(index: NDArray[Any], size: int) -> bool:
    return bool(np.all((index >= 0) & (index < size)))


def _demand(holds: object, otherwise: str) -> None:
    if not holds:
        raise ReplayError(f"damaged: {otherwise}")

"""Running a replay: the same model, the same events before the same steps, so the same bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import physics
from app.replay.archive import Replay
from app.replay.timeline import EDITABLE, INPUT, ReplayError, State, leaders, limits


class Player:
    """A simulation that does what was recorded. model, data: as they are after `now` steps.

    The bits are the same on the same kind of processor with the same version; elsewhere rounding may differ, and contacts
    make much of little. So the recording has digests of the state on its way. checked: how many were met so far;
    strayed: after how many steps the state was first another than recorded, 0: it never was.
    """

    def __init__(self, replay: Replay, progress: Callable[[int, int, str], None] | None = None) -> None:
        """progress: as for physics.prepare. Raises LoadError, ReplayError, PhysicsError."""
        self.replay = replay
        self.model = replay.bundle.compile()
        physics.prepare(self.model, progress)
        self.data = physics.MjData(self.model)
        self.now = self.strayed = self.checked = 0
        self._line = replay.timeline
        self._inputs = np.empty(physics.mj_stateSize(self.model, INPUT))
        self._ready = False
        self._require()

    def ready(self) -> bool:
        """Bring in what was done before the next step; False: the replay is at its end."""
        if self.now >= self._line.steps:
            return False
        if not self._ready:
            self._edit()
            self._jump()
            self._change_inputs()
            self._ready = True
        return True

    def step(self) -> None:
        """Take the next step, after `ready`."""
        physics.mj_step(self.model, self.data)
        self.now += 1
        self._ready = False
        for k in range(*self._due(self._line.check_step).indices(len(self._line.check_step))):
            self.checked += 1
            if not self.strayed and State.of(self.model, self.data).digest() != int(self._line.check_digest[k]):
                self.strayed = self.now

    def _due(self, steps: Any) -> slice:
        """Which events belong to the present number of steps."""
        return slice(int(np.searchsorted(steps, self.now, "left")), int(np.searchsorted(steps, self.now, "right")))

    def _edit(self) -> None:
        edits, due = self._line.edits, self._due(self._line.edits["step"])
        for k in range(due.start, due.stop):
            name, index, value = self._line.fields[edits["field"][k]], int(edits["index"][k]), float(edits["value"][k])
            target = getattr(self.model, name)
            if np.ndim(target) == 0:
                setattr(self.model, name, type(target)(value))
            else:
                target.reshape(-1)[index] = value

    def _jump(self) -> None:
        line = self._line
        for k in range(*self._due(line.jump_step).indices(len(line.jump_step))):
            State(line.jump_values[k], line.jump_asleep[k], line.jump_mocap[k]).place(self.model, self.data)

    def _change_inputs(self) -> None:
        inputs, due = self._line.inputs, self._due(self._line.inputs["step"])
        if due.start < due.stop:
            physics.mj_getState(self.model, self.data, self._inputs, INPUT)
            self._inputs[inputs["index"][due]] = inputs["value"][due]
            physics.mj_setState(self.model, self.data, self._inputs, INPUT)

    # ---- a file may hold anything: nothing of it is used before it is known to fit the model

    def _require(self) -> None:
        line, m = self._line, self.model
        jumps = len(line.jump_step)
        size, trees, mocap = State.of(m, self.data).values.size, m.ntree, 7 * m.nmocap
        _demand(jumps > 0 and line.jump_step[0] == 0, "it has no state to begin with")
        for name, array, width in (("values", line.jump_values, size), ("asleep", line.jump_asleep, trees),
                                   ("mocap", line.jump_mocap, mocap)):  # fmt: skip
            _demand(array.shape == (jumps, width), f"jump_{name} has shape {array.shape}, not {(jumps, width)}")
        for row in line.jump_asleep:
            leaders(row)
        for name, steps in (("jump", line.jump_step), ("edit", line.edits["step"]), ("input", line.inputs["step"]),
                            ("check", line.check_step)):  # fmt: skip
            _demand(np.all(np.diff(steps) >= 0) and np.all((steps >= 0) & (steps <= line.steps)), f"{name}s are out of order")
        _demand(_within(line.inputs["index"], len(self._inputs)), "an input is none of the model's")
        _demand(_within(line.edits["field"], len(line.fields)), "a change of the model is of no field")
        for number, name in enumerate(line.fields):
            self._require_field(number, name)

    def _require_field(self, number: int, name: str) -> None:
        """What a field of the model is changed to must be possible."""
        _demand(name in EDITABLE, f"{name!r} is no field of the model that may change")
        chosen = self._line.edits["field"] == number
        index, value = self._line.edits["index"][chosen], self._line.edits["value"][chosen]
        _demand(_within(index, np.size(getattr(self.model, name))), f"a change of {name} is outside of it")
        _demand(np.all(np.isfinite(value)), f"{name} becomes no number")
        if EDITABLE[name].dtype.startswith("f"):
            return
        low, high = limits(EDITABLE[name]) or (0, 0)
        most = getattr(self.model, high) - 1 if isinstance(high, str) else high
        _demand(np.all((value == np.round(value)) & (value >= low) & (value <= most)), f"{name} becomes none of {low} to {most}")
        if high == 6:  # dimensions of a contact
            _demand(np.all(np.isin(value, (1, 3, 4, 6))), f"{name} becomes none of 1, 3, 4, 6")


def stray_text(player: Player) -> str:
    """What to say of a replay that has strayed."""
    return (
        f"goes another way than recorded by step {player.strayed} of {player.replay.timeline.steps}: it was written by another "
        "version, or on another kind of processor"
    )


def _within(index: Any, size: int) -> bool:
    return bool(np.all((index >= 0) & (index < size)))


def _demand(holds: Any, otherwise: str) -> None:
    if not holds:
        raise ReplayError(f"damaged: {otherwise}")

"""Recording a replay, in the thread that steps: what is done to a simulation between its steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import physics
from app.replay.bundle import Bundle
from app.replay.timeline import CHECK_EVERY, EDITABLE, OWN, Changes, ReplayError, State, Timeline
from physics.state.fields import MODEL
from physics.state.fields.internal import MODEL_INTERNAL

Array = NDArray[Any]
_INTERNAL = {f.name for f in MODEL_INTERNAL}


class Recorder:
    """A StepMonitor that keeps all that the next step depends on and that no step has made.

    It compares bytes, not commands, so whatever writes to the model or the data between steps is recorded: sliders, scripts,
    the mouse. A quiet step costs two copies of the state.
    """

    def __init__(self, bundle: Bundle, model: Any, commands: Callable[[], int] | None = None) -> None:
        """model: the one that runs, read from the files in `bundle`; it may have been changed since.

        commands: how many commands were carried out so far; the model is looked at when the number changes, and before
        every step where it is None. Raises ReplayError where the files describe another model by now, LoadError where none.
        """
        self.bundle = bundle
        self.steps = 0
        fresh = bundle.compile()
        _require_same(fresh, model)
        self._known: dict[str, Array] = {name: np.array(getattr(fresh, name), np.float64) for name in EDITABLE}
        self._commands = commands
        self._seen = -1
        self._own = physics.mj_stateSize(model, OWN)
        self._after: State | None = None
        self._edits, self._inputs = Changes(), Changes()
        self._fields: dict[str, int] = {}
        self._jumps: list[tuple[int, State]] = []
        self._checks: list[tuple[int, int]] = []

    def before_step(self, model: Any, data: Any) -> None:
        """A step is about to be taken: record what has changed since the last."""
        commands = -2 if self._commands is None else self._commands()
        if commands != self._seen or commands == -2:
            self._seen = commands
            self._compare(model)
        state, after = State.of(model, data), self._after
        own = self._own
        if after is None or not (_same(state.values[:own], after.values[:own]) and _same(state.asleep, after.asleep)):
            self._jumps.append((self.steps, state))
        elif not _same(state.values, after.values):
            index = np.flatnonzero(state.values[own:].view(np.int64) != after.values[own:].view(np.int64))
            self._inputs.add(self.steps, index, state.values[own:][index])

    def after_step(self, model: Any, data: Any) -> bool:
        """A step was taken; recording never stops it."""
        self._after = State.of(model, data)
        self.steps += 1
        if self.steps % CHECK_EVERY == 0:
            self._checks.append((self.steps, self._after.digest()))
        return False

    def back(self, model: Any, data: Any, steps: int) -> int:
        """Nothing is kept to go back to; that somebody else went back is recorded as a jump."""
        return 0

    def timeline(self) -> Timeline:
        """All that was recorded so far. Raises ReplayError where there was no step."""
        if self._after is None:
            raise ReplayError("there is nothing to replay yet: no step was taken while recording")
        checks = [*self._checks, (self.steps, self._after.digest())]
        states = [state for _, state in self._jumps]
        return Timeline(
            steps=self.steps,
            fields=tuple(self._fields),
            edits=self._edits.columns(),
            inputs=self._inputs.columns(),
            jump_step=np.array([step for step, _ in self._jumps], np.int64),
            jump_values=np.array([state.values for state in states]),
            jump_asleep=np.array([state.asleep for state in states], np.int32),
            jump_mocap=np.array([state.mocap for state in states]),
            check_step=np.array([step for step, _ in checks], np.int64),
            check_digest=np.array([digest for _, digest in checks], np.int64),
        )

    def _compare(self, model: Any) -> None:
        """Record which numbers of the model have changed."""
        for name, known in self._known.items():
            now = np.asarray(getattr(model, name), np.float64)
            if _same(now, known):
                continue
            index = np.flatnonzero(now.ravel().view(np.int64) != known.ravel().view(np.int64))
            field = self._fields.setdefault(name, len(self._fields))
            self._edits.add(self.steps, index, now.ravel()[index], field)
            self._known[name] = now.copy()


def _same(a: Array, b: Array) -> bool:
    """Whether all bits are: a velocity of minus zero wakes who sleeps."""
    return a.tobytes() == b.tobytes()


def _require_same(fresh: Any, model: Any) -> None:
    """Raise ReplayError where a model differs from that of the files in more than a replay can hold."""
    for f in MODEL:
        if f.name in EDITABLE or f.name in _INTERNAL or f.name == "paths":
            continue
        if not np.array_equal(getattr(fresh, f.name), getattr(model, f.name), equal_nan=f.dtype.startswith("f")):
            raise ReplayError(f"the model file has changed since it was loaded ({f.name} differs): reload it, then record")

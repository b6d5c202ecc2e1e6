"""A run of a study as a replay: the same steps once more, on a tape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec.structs import replace

from tumble import physics
from tumble.app.replay.replay_file import Replay
from tumble.app.replay.tape import Tape
from tumble.app.study.trial import FULL, GIVEN, Plan, Trial

if TYPE_CHECKING:
    from tumble.app.study.attribute_path import Value


def replay_of(plan: Plan, run: int, values: Sequence[Value], stopped: Callable[[], bool] = lambda: False) -> Replay:
    """The replay of a run: its model with its values, and all of its steps with their controls, bit for bit.

    It ends where the run did, at the first warning, or where `stopped`. Raises StudyError, LoadError, PhysicsError, ReplayError.
    """
    trial, bundle = Trial(plan), plan.bundle
    texts = trial.variants.text(dict(enumerate(values)))
    bundle = replace(bundle, text=texts.get(bundle.main, bundle.text), files={**bundle.files, **texts})
    model = bundle.compile()
    physics.prepare(model)
    data, inputs = trial.begin(model, run)
    physics.mj_resetData(model, data)  # as a rollout begins: no warm start
    physics.mj_setState(model, data, inputs.start[0], FULL)
    given = inputs.given[0]
    physics.mj_setState(model, data, given[0], GIVEN)
    tape, number = Tape(model, data), data.warning.number
    for step in range(inputs.steps):
        if 0 < step < len(given) and not np.array_equal(given[step], given[step - 1]):
            tape.hold()
            physics.mj_setState(model, data, given[step], GIVEN)
            tape.note()
        physics.mj_step(model, data)
        tape.took(1)
        if number.any() or stopped():
            break
    return Replay(bundle, tape.timeline())

"""A run of a study as a replay: the same steps once more, on a tape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from tumble import physics
from tumble.app.replay.replay_file import Replay
from tumble.app.replay.tape import Tape
from tumble.app.study.run_steps import run_steps
from tumble.app.study.trial import Plan, Trial

if TYPE_CHECKING:
    from tumble.app.study.attribute_path import Value


def replay_of(plan: Plan, run: int, values: Sequence[Value], stopped: Callable[[], bool] = lambda: False) -> Replay:
    """The replay of a run: its model with its values, and all of its steps with their controls, bit for bit.

    It ends where the run did, at the first warning, or where `stopped`. Raises StudyError, LoadError, PhysicsError, ReplayError,
    ControllerError.
    """
    trial, bundle = Trial(plan), plan.bundle
    texts = trial.variants.text(dict(enumerate(values)))
    bundle = replace(bundle, text=texts.get(bundle.main, bundle.text), files={**bundle.files, **texts})
    model = bundle.compile()
    physics.prepare(model)
    data, inputs = trial.begin(model, run)
    tape = run_steps(model, data, inputs, plan.controller, stopped, lambda: Tape(model, data))
    assert tape is not None
    return Replay(bundle, tape.timeline())

"""What the tests of recording and export share: the replay of what a session or a model does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import physics
from app.export import Source
from app.replay.archive import Replay
from app.replay.bundle import collect
from app.replay.recorder import Recorder
from app.session import Session

_recorders: dict[Session, Recorder] = {}


def replay_of(session: Session) -> None:
    """Record what the session does from now on."""
    bundle = collect(session.path)
    recorder = Recorder(bundle, bundle.compile())
    _recorders[session] = recorder
    session.guard(recorder)


def stop_replay_of(session: Session) -> Source:
    """What it did."""
    recorder = _recorders.pop(session)
    return lambda answer: answer(Replay(recorder.bundle, recorder.timeline()))


def recorded(path: Path, steps: int, start: Callable[[Any, Any], None] = lambda model, data: None) -> Replay:
    """So many steps of a model file, from where `start` brings the data."""
    bundle = collect(path)
    model = bundle.compile()
    data = physics.MjData(model)
    start(model, data)
    recorder = Recorder(bundle, model)
    for _ in range(steps):
        recorder.before_step(model, data)
        physics.mj_step(model, data)
        recorder.after_step(model, data)
    return Replay(bundle, recorder.timeline())

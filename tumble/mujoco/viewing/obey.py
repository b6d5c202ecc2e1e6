"""What was done in the window, done to the script's model and data: between two of its steps, when it synchronizes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from tumble import physics
from tumble.app.remote.lines import Message
from tumble.app.simulation.changes import Change
from tumble.app.simulation.perturbation import Grip, GripMode, move_mocap, place_free, spring_wrench

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)


def obey(model: MjModel, data: MjData, message: Message) -> None:
    """Do what a message says; what is not known, or does not fit this model, is left, and the log says so."""
    try:
        _do(model, data, message)
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        log.warning("the window has asked for what this model has not: %s (%s)", message, error)


def _do(model: MjModel, data: MjData, message: Message) -> None:
    match message["say"]:
        case "ctrl":
            data.ctrl[message["index"]] = message["value"]
        case "clear_ctrl":
            data.ctrl[:] = 0.0
        case "equality":
            data.eq_active[message["index"]] = message["active"]
        case "state":
            _set(data, message["field"], message["start"], message["values"])
            physics.mj_forward(model, data)
        case "reset":
            if message["key"] is None:
                physics.mj_resetData(model, data)
            else:
                physics.mj_resetDataKeyframe(model, data, message["key"])
            for name, values in message["state"]:
                _set(data, name, 0, values)
            physics.mj_forward(model, data)
        case "model":
            if Change(message["field"], message["index"], tuple(message["value"])).make(model, data):
                physics.mj_forward(model, data)


def _set(data: MjData, field: str, start: int, values: Any) -> None:  # noqa: ANN401 - a list of JSON
    if field == "time":
        data.time = float(values[0])
    else:
        getattr(data, field).reshape(-1)[start : start + len(values)] = values


def grip_from(said: Message | None) -> Grip | None:
    """How the mouse holds a body in the window."""
    if said is None:
        return None
    local, target, quat = (np.array(said[name], float) for name in ("local", "target", "quat"))
    return Grip(int(said["body"]), GripMode(said["mode"]), local, target, quat, bool(said["whole"]))


class Pull:
    """The mouse's pull in the script's data: applied at every synchronization, and taken away when it ends."""

    def __init__(self) -> None:
        self._body = 0

    def apply(self, model: MjModel, data: MjData, grip: Grip | None) -> None:
        """Pull the body that is held, or let go of the one that was."""
        held = 0 if grip is None or not 0 < grip.body < model.nbody else grip.body
        if self._body not in (0, held):
            data.xfrc_applied[self._body] = 0.0
        self._body = held
        if grip is not None and held and not (move_mocap(model, data, grip) or place_free(model, data, grip)):
            data.xfrc_applied[held] = spring_wrench(model, data, grip)

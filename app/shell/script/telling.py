"""What the window asks of a simulation that is a script's, as messages to the script."""

from __future__ import annotations

from tumble.app.remote.lines import Message
from tumble.app.session.session import Session
from tumble.app.simulation import commands
from tumble.app.simulation.commands import Command
from tumble.app.simulation.perturbation import Grip

TAKES_STEPS = "The script takes the steps"
DRIVEN = "The inputs are the script's: generators and controllers act on simulations of the window itself"


class Telling:
    """Turns commands into messages. driven: the window says when the script steps, as in a window of its own."""

    def __init__(self, session: Session, *, driven: bool) -> None:
        self._session, self.driven = session, driven

    def message(self, command: Command) -> tuple[Message | None, bool]:
        """What the script is told of a command, None: nothing; and whether it is not to be carried out here."""
        match command:
            case commands.Hold(grip):
                return {"say": "grip", "grip": None if grip is None else grip_to(grip)}, True
            case commands.SetCtrl(index, value):
                return {"say": "ctrl", "index": index, "value": value}, False
            case commands.ClearCtrl():
                return {"say": "clear_ctrl"}, False
            case commands.SetEquality(index, active):
                return {"say": "equality", "index": index, "active": active}, False
            case commands.SetState(field, start, values):
                return {"say": "state", "field": field, "start": start, "values": list(values)}, True
            case commands.Reset(key, state):
                return {"say": "reset", "key": key, "state": [[name, list(values)] for name, values in state]}, True
            case commands.SetModel(change):
                return {"say": "model", "field": change.field, "index": change.index, "value": list(change.value)}, False
            case commands.WakeTrees() | commands.SettleTrees():
                return None, True
            case commands.SetDriver(_, driver) if driver is not None:
                self._session.status.emit(DRIVEN)
                return None, True
        return self._of_time(command)

    def _of_time(self, command: Command) -> tuple[Message | None, bool]:
        match command:
            case commands.Step(count):
                if not self.driven:
                    self._session.status.emit(TAKES_STEPS)
                return ({"say": "step", "count": count} if self.driven else None), True
            case commands.SetPaused(paused) if self.driven:
                return {"say": "paused", "paused": paused}, True
            case commands.SetRate(rate) if self.driven:
                return {"say": "rate", "rate": rate}, False
        return None, False


def grip_to(grip: Grip) -> Message:
    """How the mouse holds a body, as JSON."""
    return {
        "body": grip.body,
        "mode": grip.mode.value,
        "local": [float(v) for v in grip.local],
        "target": [float(v) for v in grip.target],
        "quat": [float(v) for v in grip.quat],
        "whole": grip.whole,
    }

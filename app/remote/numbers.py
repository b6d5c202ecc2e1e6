"""Numbers of the state, of controls and of the model by name, set as the window's own panels set them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tumble.app.describe.signals import Catalogue, Signal
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.field_checks import Case, problem, unit_length
from tumble.app.session.session import Session
from tumble.app.simulation.commands import SetState
from tumble.physics import changes

STATE = ("time", "qpos", "qvel", "act", "mocap_pos", "mocap_quat")


class Refusal(ValueError):
    """The request cannot be carried out; the message gives the reason."""


def signal_of(catalogue: Catalogue, name: object) -> Signal:
    """The numbers of that name. Raises Refusal, SignalError."""
    if not isinstance(name, str):
        raise Refusal(f'the name of a signal is a text, as "qpos[0]"; got {name!r:.50}')
    head, _, rest = name.strip().partition("[")
    if rest and not rest.endswith("]"):
        raise Refusal(f"{name}: the bracket is not closed")
    return catalogue.find(head.strip(), [part.strip() for part in rest[:-1].split(",")] if rest else [])


def numbers(given: Any, what: str) -> Values:  # noqa: ANN401 - of JSON
    """One number or several, as floats. Raises Refusal."""
    several = given if isinstance(given, list) else [given]
    if not several or not all(isinstance(v, int | float) and math.isfinite(v) for v in several):
        raise Refusal(f"{what}: expected a finite number, or a list of them")
    return tuple(float(v) for v in several)


class NumberWish:
    """A request to set numbers, checked as a whole before anything is changed."""

    def __init__(self, session: Session, catalogue: Catalogue, wanted: Any) -> None:  # noqa: ANN401 - of JSON
        """wanted: numbers by name. Raises Refusal and SignalError, which list what is valid."""
        if not isinstance(wanted, dict) or not wanted:
            raise Refusal('values: expected {"name": numbers}, as {"qpos[0]": 0.1, "opt.timestep": 0.001}')
        self._session, self._catalogue = session, catalogue
        self._edits = session.part(Edits)
        self._state: list[tuple[str, int, Values]] = []
        self._controls: list[tuple[int, float]] = []
        self._model: dict[EditPlace, Values] = {}
        for name, value in wanted.items():
            self._add(signal_of(catalogue, name), numbers(value, name))
        why = self._edits.refusal(self._model)
        if why:
            raise Refusal(why)

    def make(self) -> None:
        """Apply the changes; those of the model can be undone in the window."""
        for name, start, values in self._state:
            self._session.send(SetState(name, start, values, running=True))
        for index, value in self._controls:
            self._session.set_ctrl(index, value)
        if self._model:
            self._edits.set_all(self._model, "Change by remote control")

    def _add(self, signal: Signal, values: Values) -> None:
        info = self._catalogue.field_of(signal)
        count = info.rows * info.width if signal.count < 0 else signal.count
        if len(values) != count:
            raise Refusal(f"{signal.name} has {count} numbers, and {len(values)} are given")
        if not signal.own:
            self._add_model(signal, values)
        elif signal.field == "ctrl":
            self._controls += [(signal.start + k, value) for k, value in enumerate(values)]
        elif signal.field in STATE:
            self._state.append((signal.field, signal.start, values))
        else:
            raise Refusal(
                f"{signal.name} is computed; numbers that can be set are {', '.join(STATE)}, ctrl, and those of the model"
            )

    def _add_model(self, signal: Signal, values: Values) -> None:
        info, done = self._catalogue.field_of(signal), 0
        single = "." in info.name or info.field.shape == ()  # of the options: it has no elements
        while done < len(values):
            row, begin = divmod(signal.start + done, max(info.width, 1))
            place = EditPlace(signal.field, row)
            if single:
                place, begin = EditPlace(info.name), signal.start + done
            part = list(self._model.get(place) or self._edits.value(place))
            count = min(len(part) - begin, len(values) - done)
            part[begin : begin + count] = values[done : done + count]
            done += count
            self._model[place] = self._checked(signal, place, tuple(part))

    def _checked(self, signal: Signal, place: EditPlace, values: Values) -> Values:
        info, model = self._catalogue.field_of(signal), self._catalogue.model
        why = changes.refusal(model, signal.field, place.index)
        try:
            values = unit_length(signal.field, values)
        except ValueError as error:
            why = why or str(error)
        if info.field.dtype == "f4":
            values = tuple(float(np.float32(v)) for v in values)
        why = why or problem(info.field, Case(model, self._edits, place, values))
        if why:
            raise Refusal(f"{signal.name}: {why}")
        return values

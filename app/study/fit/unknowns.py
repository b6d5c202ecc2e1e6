"""The unknowns of a fit as one vector of numbers from 0 to 1: parameters of the model, of the measurement, and inertias."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.study.fit.fit_section import OPTIONS, FitSection
from tumble.app.study.study_file import StudyError, StudyParameter
from tumble.app.study.variants import Variants
from tumble.physics.errors import ModelError
from tumble.physics.pseudo_inertia import NAMES, BodyInertia, settle

if TYPE_CHECKING:
    from tumble.physics import MjModel

Array = NDArray[np.float64]


class Unknown(Struct, frozen=True):
    """A number to estimate: its name and range, whether by ratio, and where a search begins."""

    name: str
    low: float
    high: float
    log: bool
    start: float

    def value(self, share: float) -> float:
        """The value at a share of the range, 0 to 1."""
        if self.log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + (self.high - self.low) * share

    def share(self, value: float) -> float:
        """The share of the range below a value."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def deviation(self, share: float, shares: float) -> float:
        """The deviation of the value at a share for one of the share: to first order."""
        slope = self.value(share) * math.log(self.high / self.low) if self.log else self.high - self.low
        return slope * shares


class Unknowns:
    """Unknowns in order: the study's parameters, those of the measurement, ten for each body of [fit.inertias]."""

    def __init__(self, parameters: Mapping[str, StudyParameter], fit: FitSection, variants: Variants) -> None:
        """Raises StudyError."""
        self._variants, self._fit = variants, fit
        self.base = variants.base
        self._parameters = len(parameters)
        for name in [*fit.options, *(name for one in fit.unknowns.values() if one.of == "option" for name in one.signals)]:
            _require_option(variants.base, name)
        try:
            self._bodies = {name: BodyInertia(variants.base, name) for name in fit.inertias}
        except ModelError as error:
            raise StudyError(f"fit.inertias: {error}") from error
        starts = zip(parameters.items(), variants.initial, strict=True)
        self.table = [_parameter(name, parameter, base) for (name, parameter), base in starts]
        self.table += [Unknown(name, one.low, one.high, False, one.start) for name, one in fit.unknowns.items()]
        for body, factor in fit.inertias.items():
            reach = math.log(factor)
            self.table += [Unknown(f"{body}.{name}", -reach, reach, False, 0.0) for name in NAMES]

    @property
    def start(self) -> Array:
        """Shares (n,) where a search begins."""
        return np.array([one.share(one.start) for one in self.table])

    def values(self, shares: Array) -> dict[str, float]:
        """Values by name."""
        return {one.name: one.value(float(share)) for one, share in zip(self.table, shares, strict=True)}

    def model(self, shares: Array) -> MjModel:
        """A model of its own with these values. Raises LoadError where it does not compile."""
        values = list(self.values(shares).values())
        model = self._variants.model(values[: self._parameters])
        changes = self.changes(shares)
        options = {name: value for (kind, name), value in changes.items() if kind == "option"}
        for name, value in {**self._fit.options, **options}.items():
            _set_option(model, name, value)
        numbers = np.array(values[self._parameters + len(self._fit.unknowns) :]).reshape(-1, len(NAMES))
        for body, x in zip(self._bodies.values(), numbers, strict=True):
            body.put(model, x)
        if self._bodies:
            settle(model)
        return model

    def changes(self, shares: Array) -> dict[tuple[str, str], float]:
        """Values of the measurement's unknowns, by kind and signal."""
        values = self.values(shares)
        unknowns = self._fit.unknowns.items()
        return {(one.of, signal): values[name] for name, one in unknowns for signal in one.signals}

    def inertias(self, shares: Array) -> dict[str, Mapping[str, Array]]:
        """Attributes of the element inertial of each unknown body."""
        values = self.values(shares)
        return {
            name: body.inertial_attributes(np.array([values[f"{name}.{one}"] for one in NAMES]))
            for name, body in self._bodies.items()
        }

    def text(self, shares: Array) -> dict[str, bytes]:
        """The model's files that differ with these values of the study's parameters, in six digits: no data tell more."""
        values = [float(f"{value:.6g}") for value in self.values(shares).values()][: self._parameters]
        return self._variants.text(dict(enumerate(values)))


def _parameter(name: str, parameter: StudyParameter, base: object) -> Unknown:
    low, high = float(parameter.low or 0.0), float(parameter.high or 0.0)
    middle = math.sqrt(low * high) if parameter.log else (low + high) / 2
    start = parameter.initial
    if start is None:
        inside = isinstance(base, int | float) and low <= base <= high and not parameter.factor and not parameter.unit
        start = float(base) if inside and isinstance(base, int | float) else middle
        start = 1.0 if parameter.factor and low <= 1.0 <= high else start
    return Unknown(name, low, high, parameter.log, min(max(start, low), high))


def _set_option(model: MjModel, name: str, value: float) -> None:
    group, _, field = name.partition(".")
    place = getattr(model, group)
    setattr(place, field, type(getattr(place, field))(value))


def _require_option(model: MjModel, name: str) -> None:
    """Raise StudyError for what is no single number of the model's options."""
    group, _, field = name.partition(".")
    if group not in OPTIONS or not isinstance(getattr(getattr(model, group), field, None), int | float):
        raise StudyError(f"fit: {name!r} is no option with one number; valid are for example opt.impratio, tumble.contact_model")

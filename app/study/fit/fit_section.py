"""The part of a study file that says how measured data are compared with the model: `[fit]`.

    [fit]
    data = ["tosses/*.csv"]
    hold_out = ["tosses/*5.csv"]
    window = 0.2

    [fit.signals]
    "qpos[cube, 0]" = "x"
    "qvel[cube, 0]" = {column = "vx", deviation = 0.05}

    [fit.inputs]
    "ctrl[elbow]" = "tau2"

    [fit.unknowns.delay]
    of = "shift"
    signals = ["ctrl[elbow]"]
    low = -0.02
    high = 0.02

    [fit.inertias]
    forearm = 1.5
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from tumble.app.study.study_file import NAME, StudyError, StudyParameter

KINDS = ("shift", "offset", "scale", "option")
OPTIONS = ("opt", "tumble")  # groups of a model whose numbers a fit may set
LOSSES = ("soft-l1", "cauchy", "linear")
SEARCHES = ("both", "global", "local")
_NOT_NEGATIVE = ("window", "every", "lead", "position", "velocity", "evaluations", "restarts", "seed")


class FitColumn(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of the measured files. The signal is scale * column + offset; deviation: of its noise, 0: estimated."""

    column: str
    scale: float = 1.0
    offset: float = 0.0
    deviation: float = 0.0


class FitUnknown(Struct, frozen=True, forbid_unknown_fields=True):
    """A number of the measurement that is estimated, too, the same in all records.

    of: shift, by which a signal's clock runs ahead [s]; offset, which is added to what was measured; scale, which multiplies it;
    option, of the model, that a file does not have, as tumble.lcp_stabilization.
    """

    of: str
    signals: tuple[str, ...]
    low: float
    high: float
    initial: float | None = None

    @property
    def start(self) -> float:
        """Value where a search begins: zero, or one of a scale, where it is within the range."""
        neutral = 1.0 if self.of == "scale" else 0.0
        inside = neutral if self.low <= neutral <= self.high else (self.low + self.high) / 2
        return inside if self.initial is None else self.initial


class FitSection(Struct, frozen=True, forbid_unknown_fields=True):
    """Options of a fit: what is compared, and the search.

    data, hold_out: files, patterns too; those of hold_out are only predicted. time: the column of times [s], times time_scale.
    window: length of the pieces that are simulated, each from its own measured state [s], 0: whole records. every: distance of
    their beginnings [s], 0: one after the other. position, velocity: deviations of the measured states in which windows begin,
    which are then estimated, too; 0: they are taken as measured. lead: seconds at the beginning of a window from which alone its
    beginning is estimated when it is predicted, 0: it is predicted from the measured one. options: of the model, as
    {"tumble.contact_model" = 1}.
    inertias: bodies whose ten inertial numbers are unknown, and the factor by which mass and moments may differ from the file.
    evaluations: of the global search; restarts: of the local one.
    """

    signals: dict[str, FitColumn | str]
    data: tuple[str, ...] = ()
    hold_out: tuple[str, ...] = ()
    inputs: dict[str, FitColumn | str] = {}
    unknowns: dict[str, FitUnknown] = {}
    inertias: dict[str, float] = {}
    options: dict[str, float] = {}
    time: str = "t"
    time_scale: float = 1.0
    window: float = 0.0
    every: float = 0.0
    lead: float = 0.0
    position: float = 0.0
    velocity: float = 0.0
    loss: str = "soft-l1"
    search: str = "both"
    evaluations: int = 600
    restarts: int = 2
    seed: int = 1

    def columns(self) -> dict[str, FitColumn]:
        """The columns of signals and inputs, by signal."""
        every = {**self.signals, **self.inputs}
        return {name: FitColumn(column) if isinstance(column, str) else column for name, column in every.items()}


def section(fit: Mapping[str, Any], parameters: Mapping[str, StudyParameter], file: str) -> FitSection:
    """The section of a study whose parameters are these; file: its name, for messages. Raises StudyError."""
    if not fit:
        raise StudyError(f"{file}: a fit needs a section [fit] with at least [fit.signals]: which column measures which signal")
    try:
        result = msgspec.convert(fit, FitSection)
    except msgspec.ValidationError as error:
        valid = ", ".join(FitSection.__struct_fields__)
        raise StudyError(f"{file}: [fit]: {error}; the keys of [fit] are {valid}") from error
    for where, why in _problems(result, parameters):
        raise StudyError(f"{file}: fit.{where}: {why}")
    return result


def _problems(fit: FitSection, parameters: Mapping[str, StudyParameter]) -> list[tuple[str, str]]:
    """Keys that are wrong, and what is valid."""
    problems = []
    if not fit.signals:
        problems.append(("signals", "a fit compares at least one signal with a column"))
    problems += [(key, "is 0 or more") for key in _NOT_NEGATIVE if not 0 <= getattr(fit, key) < math.inf]
    for key, valid in (("loss", LOSSES), ("search", SEARCHES)):
        if getattr(fit, key) not in valid:
            problems.append((key, f"{getattr(fit, key)!r}: valid are {', '.join(valid)}"))
    problems += [(f"inertias.{body}", "a factor above 1") for body, factor in fit.inertias.items() if not 1 < factor < math.inf]
    columns = fit.columns()
    for name, column in columns.items():
        if not (math.isfinite(column.scale) and column.scale != 0 and column.deviation >= 0):
            problems.append((name, "scale is not 0, and deviation is not negative"))
    for name, unknown in fit.unknowns.items():
        problems += [(f"unknowns.{name}", why) for why in _unknown_problems(name, unknown, columns, parameters)]
    for name, parameter in parameters.items():
        if parameter.low is None or parameter.high is None:
            problems.append((f"parameters.{name}", "a fitted parameter has a range: low and high"))
    return problems


def _unknown_problems(
    name: str, unknown: FitUnknown, columns: Mapping[str, FitColumn], parameters: Mapping[str, StudyParameter]
) -> list[str]:
    problems = []
    if unknown.of not in KINDS:
        problems.append(f"of = {unknown.of!r}: valid are {', '.join(KINDS)}")
    if not unknown.low <= unknown.start <= unknown.high or not unknown.low < unknown.high:
        problems.append("low is less than high, and initial between them")
    missing = [signal for signal in unknown.signals if signal not in columns]
    if unknown.of != "option" and (missing or not unknown.signals):
        problems.append(f"signals: {', '.join(missing) or 'none'}: valid are {', '.join(columns)}")
    if name in parameters or not NAME.fullmatch(name):
        problems.append("is the name of a parameter, or no name")
    return problems

"""Copies of the present state, the poles of the step about it, and what they are in words. No Qt here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble.app.describe.names import dof_names
from tumble.app.describe.numbers import duration, metric, moment, short
from tumble.physics.observe.linear.linearization import MOST, Linearization, Mode, linearize, modes

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

CARRIES = 0.3  # share of a mode from which a dof is named as carrying it
MOST_NAMED = 3
_SLOWEST = 1e-5  # turn in a step: of less, rounding of differences makes pairs of a pole at 1


def too_large(model: MjModel) -> str:
    """Why the poles of a model would take too long, "" where they do not."""
    size = 2 * int(model.nv) + int(model.na)
    return f"Its state has {size} numbers: poles are computed up to {MOST}" if size > MOST else ""


class PolesReport(Struct, frozen=True, eq=False):
    """The step about a state. names (nv,): of the dofs; seconds: that computing it took."""

    model: MjModel
    data: MjData
    linear: Linearization
    modes: tuple[Mode, ...]
    names: tuple[str, ...]
    seconds: float

    @property
    def growing(self) -> tuple[Mode, ...]:
        """Modes that grow."""
        return tuple(mode for mode in self.modes if mode.grows)


def analyse(model: MjModel, data: MjData) -> PolesReport:
    """The poles of a copy. Raises ModelError, and LinAlgError where eigenvalues do not converge."""
    began = perf_counter()
    linear = linearize(model, data)
    found = tuple(modes(linear))
    return PolesReport(model, data, linear, found, tuple(dof_names(model, range(int(model.nv)))), perf_counter() - began)


def carriers(report: PolesReport, mode: Mode) -> list[str]:
    """Names of the dofs that carry a mode, the first most."""
    order = np.argsort(-mode.share, kind="stable")
    return [report.names[i] for i in order[:MOST_NAMED] if mode.share[i] >= CARRIES]


def pole_text(mode: Mode) -> str:
    """The pole as a number."""
    z = mode.pole
    if not _swings(mode):
        return short(z.real, least=0.0, figures=6)
    return f"{short(z.real, least=0.0, figures=5)} \N{PLUS-MINUS SIGN} {short(z.imag, least=0.0, figures=4)} i"


def pace_text(mode: Mode) -> str:
    """Words on its growth or decay."""
    if mode.marginal:
        return "stays"
    rate = mode.rate.real
    if not math.isfinite(rate):
        return "gone in a step"
    return f"{'doubles' if rate > 0 else 'halves'} in {duration(math.log(2) / abs(rate))}"


def frequency_text(mode: Mode) -> str:
    """Frequency, where it swings."""
    return metric(mode.frequency, "Hz") if _swings(mode) or mode.pole.real < 0 else ""


def damping_text(mode: Mode) -> str:
    """Damping ratio, where it swings."""
    return short(mode.damping, figures=3) if _swings(mode) else ""


def _swings(mode: Mode) -> bool:
    """False for poles at 1 that only rounding splits into a pair, too."""
    return mode.pole.imag > 0 and abs(mode.pole - 1.0) > _SLOWEST


def summary(report: PolesReport) -> str:
    """In a line: how many modes there are, and which grow, by the dofs that carry them."""
    growing, marginal = report.growing, sum(mode.marginal for mode in report.modes)
    at = moment(float(report.data.time))
    modes_text = f"{len(report.modes)} mode{'s' if len(report.modes) != 1 else ''}"
    if not growing:
        rest = f", {marginal} stay{'s' if marginal == 1 else ''}" if marginal else ""
        return f"{at}: {modes_text}, none grows{rest}"
    worst = growing[0]
    count = "1 grows" if len(growing) == 1 else f"{len(growing)} grow"
    by = ", ".join(carriers(report, worst))
    return f"{at}: {modes_text}, {count}: {by} {pace_text(worst)}"


def nearest(report: PolesReport, pole: complex | None) -> int:
    """Number of the mode whose pole is nearest to one before; 0, that which grows most, without one."""
    if pole is None or not report.modes:
        return 0
    return int(np.argmin([abs(mode.pole - pole) for mode in report.modes]))


def state_names(report: PolesReport) -> list[str]:
    """Names of the numbers of the state: rows of A and B."""
    activations = [f"act {k}" for k in range(int(report.model.na))]
    return [*(f"position {name}" for name in report.names), *(f"velocity {name}" for name in report.names), *activations]


def matrix_arrays(report: PolesReport, controls: Sequence[str]) -> dict[str, object]:
    """Arrays by name, for numpy.load."""
    return {
        "A": report.linear.A, "B": report.linear.B, "poles": np.array([mode.pole for mode in report.modes]),
        "shapes": np.array([mode.shape for mode in report.modes]), "states": np.array(state_names(report)),
        "controls": np.array(controls), "timestep": np.array(report.linear.timestep), "time": np.array(float(report.data.time)),
    }  # fmt: skip

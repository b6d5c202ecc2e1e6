"""Rule energy-grows: energy that no actuator, and nothing else of the model, gave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from tumble import physics
from tumble.app.doctor.case import DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity
from tumble.app.doctor.measures import balance_over, energy_gained
from tumble.app.doctor.proof import tried
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel
from tumble.physics.observe.energy_balance import EnergyBalance
from tumble.physics.run.program import is_hard

GROWS = 0.05  # share of the energy that is about by which it may grow
LEAST = 1e-6  # energy [J] that rounding may give
LEFT = 0.3  # share of the energy gained that a change may leave
FINER = (4, 10)  # times that a time step is divided by
_IMPLICIT = int(physics.mjtIntegrator.mjINT_IMPLICITFAST)


class _Energy:
    def __init__(self, case: Examination) -> None:
        self._case, self._balance = case, EnergyBalance(case.model, case.start)

    def look(self, model: MjModel, data: MjData) -> None:
        """Take in the step that was just taken."""
        self._balance.look(model, data)

    def findings(self) -> Iterable[Finding]:
        """The findings of the run."""
        case, balance, gained = self._case, self._balance, self._balance.gained
        if balance.known and np.isfinite(gained) and _grew(balance):
            yield Finding(
                RULE.id, Severity.WARNING,
                f"the energy grew by {gained:.3g} J in {float(case.data.time):g} s, beyond the work of actuators "
                f"({balance.work:.3g} J)",
                "The time step, an overlap at the start or a stiff constraint feeds it.", (),
                {"gained": gained, "work": balance.work, "kinetic": balance.scale}, change=_change(case, gained),
                time=float(case.data.time),
            )  # fmt: skip


def _grew(balance: EnergyBalance) -> bool:
    return balance.gained > max(GROWS * balance.scale, LEAST)


def _change(case: Examination, gained: float) -> ModelChange | None:
    """The first change with which the same run gains little; None where none does, as energy of the start stays.

    What the first step gave is that of the start too: the measure counts from its end.
    """
    if is_hard(case.model) or case.data.warning.number.any():
        return None
    measure, sound = energy_gained(), Measure("energy that does not grow", "J", _left)
    gained = min(gained, tried(case, (), measure))
    if gained <= LEAST:
        return None
    for path, before, after, change in _candidates(case.model):
        left = tried(case, (change,), sound)
        if left < LEFT * gained:
            words = f"{left:.3g} J in place of {gained:.3g} J"
            return ModelChange(path, before, after, words, (change,), Prediction(measure, gained, left))
    return None


def _left(model: MjModel, steps: Iterator[MjData]) -> float:
    """Energy gained in a run [J]; infinite where it still grows."""
    balance = balance_over(model, steps)
    if balance is None or _grew(balance) or not np.isfinite(balance.gained):
        return np.inf
    return max(0.0, balance.gained)


def _candidates(model: MjModel) -> Iterator[tuple[str, str, str, Change]]:
    integrator, step = int(model.opt.integrator), float(model.opt.timestep)
    if integrator == int(physics.mjtIntegrator.mjINT_EULER):
        yield "option.integrator", "Euler", "implicitfast", Change("opt.integrator", None, (_IMPLICIT,))
    for times in FINER:
        finer = float(f"{step / times:.2g}")
        yield "option.timestep", f"{step:g}", f"{finer:g}", Change("opt.timestep", None, (finer,))


RULE = DoctorRule(
    "energy-grows", "Energy that nothing gave",
    "Without actuators, applied forces and wind the sum of kinetic and potential energy can only fall, by damping and "
    "friction. What it gains comes from the integrator or from constraints that began violated. The change is the first of an "
    "implicit integrator and finer steps with which the same run gains little.",
    observe=_Energy,
    counts=True,
)  # fmt: skip

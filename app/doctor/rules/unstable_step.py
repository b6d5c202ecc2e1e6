"""Rule unstable-step: an integrator that is unstable at the model's time step."""

from __future__ import annotations

from collections.abc import Iterable

from tumble import physics
from tumble.app.describe.integrators import NAMES, advice
from tumble.app.doctor.case import ENERGY_GROWS, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, ModelChange, Severity
from tumble.app.doctor.rules.stiff import stops_divergence
from tumble.app.simulation.changes import Change
from tumble.physics.observe.linear.stability import Stability, analyse_stability
from tumble.physics.run.program import is_hard


def _examine(case: Examination) -> Iterable[Finding]:
    """Nothing in a run's midst, for hard contacts, which have an integrator of their own, for delays and for large models."""
    model = case.model
    if case.begun or is_hard(model) or model.nhistory:
        return
    # The others cost as much again each, and are of interest only where the model's own is unstable.
    own = analyse_stability(model, case.start, case.check, (physics.mjtIntegrator(int(model.opt.integrator)),))
    if own is None or own.own.stable:
        return
    every = analyse_stability(model, case.start, case.check)
    if every is not None:
        evidence = {"timestep": every.timestep, "growth": every.own.growth, "natural": every.natural}
        yield Finding(RULE.id, Severity.ERROR, advice(every), "", (), evidence, _change(case, every))


def _change(case: Examination, found: Stability) -> ModelChange | None:
    """The change to implicitfast where that is stable, else to the cheapest that is; None where no integrator is."""
    if not found.stable:
        return None
    better = sorted(found.stable, key=lambda step: step.integrator != physics.mjtIntegrator.mjINT_IMPLICITFAST)[0]
    return ModelChange(
        "option.integrator", NAMES[found.used], NAMES[better.integrator],
        f"a small deviation changes {better.growth:.3g}-fold in a step",
        (Change("opt.integrator", None, (float(better.integrator),)),),
        stops_divergence(case, mends=True),
    )  # fmt: skip


RULE = DoctorRule(
    "unstable-step", "An integrator that is unstable at the time step",
    "A small deviation of the state grows from step to step by the eigenvalues of the linearized step, and in the motion "
    "itself by those of the continuous system. The integrator is unstable where the first grow faster than the second (Hairer "
    "and Wanner, Solving ordinary differential equations II, IV.2).",
    _examine,
    explains=ENERGY_GROWS,
)  # fmt: skip

"""Stability of integrators in words, for the Options panel and `tumble check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tumble.app.describe.numbers import MICRO, microseconds
from tumble.physics.state.enums import mjtIntegrator

if TYPE_CHECKING:
    from tumble.physics.observe.linear.stability import Stability, StepGrowth

NAMES = {
    mjtIntegrator.mjINT_EULER: "Euler",
    mjtIntegrator.mjINT_RK4: "RK4",
    mjtIntegrator.mjINT_IMPLICIT: "implicit",
    mjtIntegrator.mjINT_IMPLICITFAST: "implicitfast",
}
_MUCH = 1000.0  # growth above which no number is shown


def advice(found: Stability) -> str:
    """One sentence about the model's own integrator: its stability, and stable alternatives."""
    own, h = found.own, f"{1e3 * found.timestep:g} ms"
    name = NAMES[own.integrator]
    if own.stable:
        return f"{name} is stable in this state at a time step of {h}."
    grows = f"{name} is unstable in this state at a time step of {h}: a small deviation grows {growth_text(own)} per step."
    if not found.stable:
        return f"{grows} So it does with every integrator: take a shorter step."
    better = [f"{NAMES[step.integrator]} ({cost_text(step)} per step)" for step in found.stable]
    return f"{grows} Stable would be {' or '.join(better)}."


def growth_text(step: StepGrowth) -> str:
    """Growth factor of a deviation, as text."""
    return f"{step.growth:.3g}-fold" if step.growth < _MUCH else f"more than {_MUCH:.0f}-fold"


def cost_text(step: StepGrowth) -> str:
    """Time of a step, as text."""
    return f"{microseconds(step.cost)} {MICRO}"

"""The stages of a step, and how much of its time each takes: differences of the engine's timers, which together are the step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tumble.app.profile.history import Array, SolverHistory
from tumble.physics import mjtTimer
from tumble.physics.observe.sample import SolverTap

if TYPE_CHECKING:
    from tumble.physics import MjData

T = mjtTimer
TIMERS = tuple(timer for timer in mjtTimer if timer is not T.mjNTIMER)


@dataclass(frozen=True, slots=True)
class StepStage:
    """A stage: its time is that of `timers` less that of `without`. panel: the key of the panel that shows what it does."""

    name: str
    timers: tuple[mjtTimer, ...]
    without: tuple[mjtTimer, ...]
    panel: str
    what: str


_POSITION = (T.mjTIMER_POS_KINEMATICS, T.mjTIMER_POS_INERTIA, T.mjTIMER_POS_COLLISION, T.mjTIMER_POS_MAKE)
_FORWARD = (T.mjTIMER_POSITION, T.mjTIMER_VELOCITY, T.mjTIMER_ACTUATION, T.mjTIMER_CONSTRAINT)
STEP_STAGES = (
    StepStage("kinematics", (T.mjTIMER_POS_KINEMATICS,), (), "joints",
              "Poses of bodies, geoms, sites, cameras, lights and tendons, from the joint positions."),
    StepStage("inertia", (T.mjTIMER_POS_INERTIA,), (), "inspector", "The mass matrix, its factors, lengths of actuators."),
    StepStage("broad phase", (T.mjTIMER_COL_BROAD,), (), "collision",
              "Which pairs of geoms are near enough to be tested; 0 where the pairs are few and listed."),
    StepStage("narrow phase", (T.mjTIMER_POS_COLLISION,), (T.mjTIMER_COL_BROAD,), "collision",
              "The points of contact of these pairs: Pairs tells which of them take the time."),
    StepStage("constraint rows", (T.mjTIMER_POS_MAKE,), (), "contacts",
              "Rows of the constraint Jacobian, with impedance and reference acceleration, of contacts, limits and equalities."),
    StepStage("islands", (T.mjTIMER_POSITION,), _POSITION, "islands",
              "Which trees the rows join, and the projected inertia that dual solvers need."),
    StepStage("velocity", (T.mjTIMER_VELOCITY,), (), "joints",
              "Velocities of bodies and tendons, springs, dampers, drag, Coriolis and centrifugal forces."),
    StepStage("actuation", (T.mjTIMER_ACTUATION,), (), "control",
              "Forces of actuators, and the acceleration that there would be without constraints."),
    StepStage("solver", (T.mjTIMER_CONSTRAINT,), (), "solver", "The constraint forces: Islands tells where the time goes."),
    StepStage("sensors", (T.mjTIMER_FORWARD,), _FORWARD, "signals", "Sensors, energies, the callback that writes controls."),
    StepStage("integrator", (T.mjTIMER_ADVANCE,), (), "options", "Velocities and positions at the end of the step."),
    StepStage("the rest", (T.mjTIMER_STEP,), (T.mjTIMER_FORWARD, T.mjTIMER_ADVANCE), "islands",
              "Checks for a blow-up, sleep, and what panels sample."),
)  # fmt: skip
_MIX = np.array([[(timer in s.timers) - (timer in s.without) for timer in TIMERS] for s in STEP_STAGES], float)


def step_tap(data: MjData) -> SolverTap:
    """Sampler for StepCosts.take, called at every step."""
    return SolverTap(data, TIMERS)


class StepCosts(SolverHistory):
    """The solver's work in every step, and the seconds of each of STEP_STAGES."""

    def __init__(self) -> None:
        super().__init__([stage.name for stage in STEP_STAGES])

    def of_stages(self, timers: Array) -> Array:
        """Differences of timers; rounding leaves none below zero."""
        return np.maximum(timers @ _MIX.T, 0.0)

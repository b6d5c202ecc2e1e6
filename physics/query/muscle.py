"""Muscles and smooth steps as functions of numbers, under MuJoCo's names: the laws of physics/dynamics/actuator/muscle.py."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tumble.physics.dynamics.actuator.muscle import muscle_bias, muscle_gain, muscle_rate, smooth_step
from tumble.physics.query.argument_checks import vector
from tumble.physics.state.arguments import checked

_PARAMETERS = 9  # range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax


def _muscle(lengthrange: Any, acc0: float, prm: Any) -> Any:
    """Fields of a model with one actuator, for the muscle laws."""
    numbers = vector(prm, "prm", _PARAMETERS)[None]
    return SimpleNamespace(
        actuator_gainprm=numbers, actuator_biasprm=numbers, actuator_acc0=(acc0,),
        actuator_lengthrange=vector(lengthrange, "lengthrange", 2)[None],
    )  # fmt: skip


@checked
def mju_muscleGain(len: float, vel: float, lengthrange: Any, acc0: float, prm: Any) -> float:
    """Force [N] of a muscle at full activation, negative: it pulls.

    len [m], vel [m/s]: of the actuator; lengthrange: (2,) [m]; acc0: acceleration of the joints by a force of 1 N; prm: (9,)
    range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax.
    """
    return float(muscle_gain(_muscle(lengthrange, acc0, prm), 0, len, vel))


@checked
def mju_muscleBias(len: float, lengthrange: Any, acc0: float, prm: Any) -> float:
    """Passive force [N] of a muscle, negative: it pulls; arguments as for mju_muscleGain."""
    return float(muscle_bias(_muscle(lengthrange, acc0, prm), 0, len))


@checked
def mju_muscleDynamics(ctrl: float, act: float, prm: Any) -> float:
    """Rate of a muscle's activation [1/s]; prm: (3,) time constants of its rise and fall [s], width of the smooth passage [1]."""
    return float(muscle_rate(ctrl, act, *vector(prm, "prm", 3)))


@checked
def mju_sigmoid(x: float) -> float:
    """A smooth step: 0 up to 0, 1 from 1 on, and between them a polynomial of degree 5 that is flat at both ends."""
    return float(smooth_step(x))

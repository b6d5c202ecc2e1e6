"""Bodies held by friction that turn about the line between their contacts, for want of torsional friction (condim 3)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.doctor.case import OBJ, Examination
from tumble.app.doctor.finding import Measure, ModelChange, Prediction
from tumble.app.doctor.measures import LATE, of_pair
from tumble.app.doctor.proof import tried
from tumble.app.simulation.changes import Change
from tumble.physics import MjData, MjModel

Pair = tuple[int, int]
SLIDING, TURNING = 3, 4  # condim with sliding friction alone, and with torsional friction too
FAR = 0.2  # angle [rad] in the last half of a run that is no settling
LEFT = 0.3  # share of it that a change may leave


class Turning(Struct, frozen=True):
    """A body that turns on a pad: the pair, the pad's geom, the tree that is held, the angle in the last half of a run [rad]."""

    pair: Pair
    pad: int
    load: int
    angle: float


class TurnWatch:
    """Turning of held trees about the normals of contacts without torsional friction, over some steps."""

    def __init__(self) -> None:
        self._rates: dict[tuple[Pair, int], list[float]] = defaultdict(list)
        self._looks = 0

    def take(self, model: MjModel, data: MjData, held: dict[Pair, int]) -> None:
        """Take in a step; held: the tree of each pair that friction holds."""
        self._looks += 1
        for pair, load in held.items():
            mine = of_pair(data, pair)
            if (np.asarray(data.contact_dim)[mine] == SLIDING).all():
                self._rates[pair, load].append(turning_rate(model, data, pair))

    def fastest(self, case: Examination) -> list[Turning]:
        """The pair that turns most of each tree that was held all the time."""
        found: dict[int, Turning] = {}
        for (pair, load), rates in self._rates.items():
            angle = float(np.mean(rates)) * LATE * case.seconds
            if len(rates) < self._looks or angle < FAR or (load in found and found[load].angle >= angle):
                continue
            pad = next(g for g in pair if int(case.model.body_treeid[case.model.geom_bodyid[g]]) != load)
            found[load] = Turning(pair, pad, load, angle)
        return list(found.values())


def turning_rate(model: MjModel, data: MjData, pair: Pair) -> float:
    """Speed at which two geoms turn on each other about the normal of their contacts [rad/s]; 0 without one."""
    mine = np.flatnonzero(of_pair(data, pair))
    if not len(mine):
        return 0.0
    first, second = (int(model.geom_bodyid[g]) for g in pair)
    turn: NDArray[np.float64] = np.asarray(data.cvel)[second, :3] - np.asarray(data.cvel)[first, :3]
    return abs(float(np.asarray(data.contact_frame)[mine[0], :3] @ turn))


def turned(pair: Pair) -> Measure:
    """Angle by which two geoms turn on each other in the last half of a run [rad]."""

    def of(model: MjModel, steps: Iterator[MjData]) -> float:
        rates = [turning_rate(model, data, pair) for data in steps]
        return float(np.sum(rates[round((1 - LATE) * len(rates)) :])) * float(model.opt.timestep)

    return Measure("turn", "rad", of)


def torsional_friction(case: Examination, one: Turning) -> ModelChange | None:
    """Torsional friction for all pads of the load, where the same run shows that it holds; None where it is too weak."""
    model = case.model
    pads = sorted({pad for pad in _pads(case, one.load) if int(model.geom_condim[pad]) < TURNING})
    if not pads:
        return None
    changes = tuple(Change("geom_condim", pad, (TURNING,)) for pad in pads)
    measure = turned(one.pair)
    before, after = tried(case, (), measure), tried(case, changes, measure)
    if after > LEFT * before:
        return None
    path = case.path_of((OBJ.mjOBJ_GEOM, one.pad), "condim")
    words = f"it turns by {after:.2g} rad in place of {before:.2g} rad"
    own, prediction = int(model.geom_condim[one.pad]), Prediction(measure, before, after)
    return ModelChange(path, f"{own}", f"{TURNING}", words, changes, prediction)


def _pads(case: Examination, load: int) -> Iterator[int]:
    """Geoms of other trees that touch a tree at the end."""
    owner = np.asarray(case.model.body_treeid)[np.asarray(case.model.geom_bodyid)]
    for first, second in np.asarray(case.data.contact_geom)[: case.data.ncon].tolist():
        if first >= 0 and second >= 0 and (owner[first] == load) != (owner[second] == load):
            yield second if owner[first] == load else first

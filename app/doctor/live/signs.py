"""Signs of trouble in the snapshots of a running simulation: what makes an examination of its present state worth its time.

A sign is no finding: it costs microseconds and only says where to look. What it means is for the rules to find.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from tumble.app.doctor.finding import Finding
from tumble.app.simulation.snapshot import Snapshot
from tumble.physics import mjtObj
from tumble.physics.observe.thickness import DEEP, thickness_of

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

LEAST_LOOKS = 4  # looks that a sign is judged by
LEAST_TIME = 0.1  # ... and simulated time between the first and the last of them [s]: less shows an impact, not a rest
AT_LIMIT = 1e-6  # of the range by which a force may miss its limit
Sign = tuple[str, int, int]  # kind, and the two sides of a contact or an actuator


def explains(finding: Finding, sign: Sign) -> bool:
    """True if a finding is about what a sign shows."""
    kind, first, second = sign
    if kind == "deep":
        changes = () if finding.change is None else finding.change.changes
        is_soft = any(change.field.startswith("geom_sol") and change.index in (first, second) for change in changes)
        return is_soft or frozenset((first, second)) in finding.pairs
    if kind == "saturated":
        return (mjtObj.mjOBJ_ACTUATOR, first) in finding.elements
    return finding.rule == "solver-limit"


class ForceProbe:
    """Forces of the actuators (nu,), which snapshots do not have."""

    def room(self, model: MjModel, data: MjData) -> NDArray[np.float64]:
        """Storage for one snapshot."""
        return np.zeros(model.nu)

    def take(self, model: MjModel, data: MjData, into: NDArray[np.float64]) -> None:
        """Copy the forces of the moment."""
        into[:] = data.actuator_force


class SignLooks(Struct):
    """Looks since the last clearing: their number, and the simulated times of the first and the last [s]."""

    count: int = 0
    first: float = 0.0
    last: float = 0.0


class SignWatch:
    """Looks at snapshots of one model as it runs."""

    def __init__(self, model: MjModel) -> None:
        self._thickness = thickness_of(model)
        limited = np.asarray(model.actuator_forcelimited, bool)
        low, high = np.asarray(model.actuator_forcerange).reshape(-1, 2).T
        slack = AT_LIMIT * (high - low)
        self._low, self._high = np.where(limited, low + slack, -np.inf), np.where(limited, high - slack, np.inf)
        self._seen: Counter[Sign] = Counter()
        self._looks = SignLooks()

    def look(self, model: MjModel, snapshot: Snapshot, forces: NDArray[np.float64] | None) -> None:
        """Look at a moment; forces: of the actuators at it (nu,), None where they are not known."""
        looks = self._looks
        if snapshot.time < looks.last:
            self.clear()
            looks = self._looks
        if not looks.count:
            looks.first = snapshot.time
        elif snapshot.time == looks.last:
            return
        looks.count, looks.last = looks.count + 1, snapshot.time
        self._seen.update({("deep", first, second): 1 for first, second in self._deep(snapshot)})
        if snapshot.nefc and snapshot.iterations >= int(model.opt.iterations):
            self._seen["limit", 0, 0] += 1
        if forces is not None and forces.size:
            at_limit = (forces != 0) & ((forces <= self._low) | (forces >= self._high))
            self._seen.update({("saturated", int(i), 0): 1 for i in np.flatnonzero(at_limit)})

    def take(self) -> set[Sign]:
        """The signs that lasted since the last call, once there were enough looks; the next looks are counted from zero."""
        looks = self._looks
        if looks.count < LEAST_LOOKS or looks.last - looks.first < LEAST_TIME:
            return set()
        lasting = {sign for sign, number in self._seen.items() if number == looks.count or (sign[0] == "limit" and number > 1)}
        self.clear()
        return lasting

    def clear(self) -> None:
        """Forget what was seen: the state has jumped."""
        self._seen.clear()
        self._looks = SignLooks()

    def _deep(self, snapshot: Snapshot) -> set[tuple[int, int]]:
        """Pairs with a contact that is deep for the thinner side."""
        if not snapshot.ncon:
            return set()
        sides = snapshot.contact_sides()
        deep = -snapshot.contact("dist") >= DEEP * self._thickness[sides].min(axis=1)
        return {(int(first), int(second)) for first, second in sides[deep]}

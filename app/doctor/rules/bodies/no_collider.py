"""Rule no-collider: moving parts without any geom that collides, where parts like them have some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.doctor.body_shape import colliding
from tumble.app.doctor.case import OBJ, DoctorRule, Examination
from tumble.app.doctor.finding import Finding, Severity, listed
from tumble.physics import MjModel

LEAVES = 2  # of a mechanism that collide from which the only one that does not is a finding
OTHERS = 4  # moving parts that collide from which the only one that does not is worth a word
SAME = 0.01  # share by which the masses of twins may differ
_NO_CONTACT = int(physics.mjtDisableBit.mjDSBL_CONTACT)


class _MovingPart(Struct, frozen=True):
    """A body with joints and all that is fixed to it, where it has geoms.

    body: with the joints; above: body of the part that carries it, 0 for the world; depth: number of parts between it and the
    world; joints: their types; mass [kg]; collides: whether one of its geoms can.
    """

    body: int
    above: int
    depth: int
    joints: tuple[int, ...]
    mass: float
    collides: bool

    def is_twin(self, other: _MovingPart) -> bool:
        """True for parts of the same mass and joints, as far from the world: a left and a right hand."""
        alike = self.joints == other.joints and self.depth == other.depth
        return alike and abs(self.mass - other.mass) <= SAME * self.mass


def _examine(case: Examination) -> Iterable[Finding]:
    model = case.model
    if int(model.opt.disableflags) & _NO_CONTACT:
        return
    twins, others = [], []
    for parts in _mechanisms(model):
        for part in parts:
            if not part.collides:
                twin = next((other for other in parts if other.collides and part.is_twin(other)), None)
                if twin is not None:
                    twins.append((part, f"{_name(case, part)} (where {_name(case, twin)} collides)"))
                elif (severity := _severity(part, parts)) is not None:
                    others.append((severity, part))
    if twins:
        yield _finding(case, Severity.WARNING, [part for part, _ in twins], [text for _, text in twins])
    for severity in Severity:
        alone = [part for own, part in others if own is severity]
        if alone:
            yield _finding(case, severity, alone, [f"{_name(case, part)} (all others collide)" for part in alone])


def _mechanisms(model: MjModel) -> Iterator[list[_MovingPart]]:
    """Moving parts of each kinematic tree with geoms."""
    weld, geoms = np.asarray(model.body_weldid), np.asarray(model.geom_bodyid)
    mass = np.bincount(weld, np.asarray(model.body_mass), model.nbody)
    touches = np.bincount(weld[geoms], colliding(model), model.nbody) > 0
    depth, trees = np.zeros(model.nbody, int), dict[int, list[_MovingPart]]()
    for body in range(1, model.nbody):
        if weld[body] != body:
            continue
        above = int(weld[model.body_parentid[body]])
        depth[body] = depth[above] + 1
        if (weld[geoms] == body).any():
            first, number = int(model.body_jntadr[body]), int(model.body_jntnum[body])
            joints = tuple(np.asarray(model.jnt_type)[first : first + number].tolist())
            part = _MovingPart(body, above, int(depth[body]), joints, float(mass[body]), bool(touches[body]))
            trees.setdefault(int(model.body_rootid[body]), []).append(part)
    yield from trees.values()


def _severity(part: _MovingPart, parts: list[_MovingPart]) -> Severity | None:
    """A warning for the only end of a mechanism that touches nothing, advice for its only part, None for one of several."""
    silent = [other for other in parts if not other.collides]
    carrying = {other.above for other in parts}
    ends = [other for other in parts if other.body not in carrying]
    if part in ends and sum(end.collides for end in ends) == len(ends) - 1 >= LEAVES:
        return Severity.WARNING
    return Severity.ADVICE if len(silent) == 1 and len(parts) > OTHERS else None


def _name(case: Examination, part: _MovingPart) -> str:
    return case.name(OBJ.mjOBJ_BODY, part.body)


def _finding(case: Examination, severity: Severity, parts: list[_MovingPart], texts: list[str]) -> Finding:
    one = len(parts) == 1
    return Finding(
        RULE.id, severity, f"moving parts without a geom that collides: {listed(texts)}",
        f"{'It passes' if one else 'They pass'} through everything: give {'it' if one else 'them'} geoms with contype or "
        "conaffinity.", tuple((OBJ.mjOBJ_BODY, part.body) for part in parts), {"number": len(parts)},
    )  # fmt: skip


RULE = DoctorRule(
    "no-collider", "Moving parts without a geom that collides",
    "Many models leave out collisions that cannot happen, at hips and shoulders, and do so for all legs and arms. Found is a "
    "part that cannot touch anything where its twin can, one of the same mass and joints as far from the world; the only end of "
    "a mechanism that cannot; and as advice the only part.",
    _examine,
)  # fmt: skip

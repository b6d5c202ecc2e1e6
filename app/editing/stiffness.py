"""Stiffness of constraints and servos relative to the time step, measured in a run.

A spring w [1/s^2] with damping g [1/s], both in units of acceleration, stepped by semi-implicit Euler, is stable alone if
and only if 2 h g + h^2 w < 4 (app/editing/impedance.py, (3)). Its share of that, (2 h g + h^2 w) / 4, is the measure here: far
below 1 is smooth, from about 1/4 on the step is coarse for it, at 1 it explodes, though neighbours can make it explode earlier.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.subject import row_subject
from tumble.app.editing.impedance import Spring
from tumble.app.editing.sinking import RESTING, RestingDepths
from tumble.physics.constraint.impedance import least_time, valid_ref
from tumble.physics.query.mobility import mobility, moment_arms

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

Array = NDArray[Any]
COARSE, UNSTABLE = 0.25, 1.0
_OFF = physics.mjtDisableBit
_C = physics.mjtConstraint
_IMPLICIT = (int(physics.mjtIntegrator.mjINT_IMPLICIT), int(physics.mjtIntegrator.mjINT_IMPLICITFAST))
_CONTACTS = (int(_C.mjCNSTR_CONTACT_FRICTIONLESS), int(_C.mjCNSTR_CONTACT_PYRAMIDAL), int(_C.mjCNSTR_CONTACT_ELLIPTIC))
_KINDS = {
    int(_C.mjCNSTR_EQUALITY): "equality",
    int(_C.mjCNSTR_FRICTION_DOF): "joint friction",
    int(_C.mjCNSTR_FRICTION_TENDON): "tendon friction",
    int(_C.mjCNSTR_LIMIT_JOINT): "joint limit",
    int(_C.mjCNSTR_LIMIT_TENDON): "tendon limit",
} | dict.fromkeys(_CONTACTS, "contact")


ElementAt = tuple[physics.mjtObj, int]  # the kind and number of an element


class RowGroup(Struct):
    """All rows of one kind of constraint over a run.

    rows: most at once; share: the largest share of stability, whose (by name and as element; pair: the sides of a contact), and
    the time step [s] that would suit it; constant: the least time constant 2 / (B d) [s]; depth: the largest violation
    [m or rad], whose, and when [s].
    """

    rows: int = 0
    share: float = 0.0
    stiffest: str = ""
    element: ElementAt | None = None
    pair: tuple[int, int] | None = None
    longest: float = math.inf
    constant: float = math.inf
    depth: float = 0.0
    deepest: str = ""
    when: float = 0.0


class Servo(Struct):
    """An actuator's or a joint's own spring.

    stiffness [N/m or N m/rad], damping, the inertia it moves, its share; longest: time step [s] that would suit it; helped:
    damping of joints that a step takes at its end, per inertia [1/s].
    """

    name: str
    stiffness: float
    damping: float
    inertia: float
    share: float
    longest: float
    element: ElementAt
    helped: float = 0.0

    @property
    def spring(self) -> Spring:
        """Stiffness and damping in units of acceleration."""
        return Spring(self.stiffness / self.inertia, self.damping / self.inertia)


class StiffnessWatch(Struct):
    """Observer of a run: `look` is called after every step.

    length: steps that the run is to take; resting: depths in its last part; most_iterations: of the solver in a step; limited:
    steps in which it ended at its limit; rows, contacts: most at once.
    """

    length: int
    resting: RestingDepths = field(default_factory=RestingDepths)
    groups: dict[str, RowGroup] = field(default_factory=dict)
    steps: int = 0
    iterations: int = 0
    most_iterations: int = 0
    limited: int = 0
    rows: int = 0
    contacts: int = 0

    @property
    def mean_iterations(self) -> float:
        """Mean iterations of the solver per step."""
        return self.iterations / max(self.steps, 1)

    def look(self, model: MjModel, data: MjData) -> None:
        """Record the step that was just taken."""
        self.steps += 1
        if self.steps >= (1 - RESTING) * self.length:
            self.resting.look(data)
        self.contacts, self.rows = max(self.contacts, int(data.ncon)), max(self.rows, int(data.nefc))
        if not data.nefc:
            return
        used = int(np.max(np.asarray(data.solver_niter)[: max(1, int(data.nisland))]))
        self.iterations += used
        self.most_iterations = max(self.most_iterations, used)
        self.limited += used >= int(model.opt.iterations)
        kinds, position = np.asarray(data.efc_type), np.asarray(data.efc_pos)
        for kind in np.unique(kinds):
            rows = np.flatnonzero(kinds == kind)
            self._take(self.groups.setdefault(_KINDS[int(kind)], RowGroup()), model, data, rows, position)

    def _take(self, group: RowGroup, model: MjModel, data: MjData, rows: Array, position: Array) -> None:
        h = float(model.opt.timestep)
        K, B, d = (np.asarray(data.efc_KBIP)[rows, k] for k in range(3))
        share = np.asarray(Spring(K, B).step_share(d, h))
        group.rows = max(group.rows, len(rows))
        worst, deepest = int(np.argmax(share)), int(np.argmin(position[rows]))
        if share[worst] > group.share:
            group.share, group.stiffest = float(share[worst]), owner(model, data, int(rows[worst]))
            group.element = element_of(model, data, int(rows[worst]))
            group.pair = row_subject(model, data, int(rows[worst])).pair
            group.longest = longest_step(Spring(float(K[worst]), float(B[worst])), float(d[worst]))
        fastest = int(np.argmax(B * d))
        group.constant = min(group.constant, Spring(0.0, float(B[fastest])).time_constant(float(d[fastest])))
        if -position[rows[deepest]] > group.depth:
            group.depth, group.deepest = -float(position[rows[deepest]]), owner(model, data, int(rows[deepest]))
            group.when = float(data.time)


def element_of(model: MjModel, data: MjData, row: int) -> ElementAt:
    """The element of a constraint row; of a contact the second geom or flex, as worlds come first."""
    kind, index = int(data.efc_type[row]), int(data.efc_id[row])
    if kind in _CONTACTS:
        return _side(data, index, 1)
    if kind == int(_C.mjCNSTR_EQUALITY):
        return physics.mjtObj.mjOBJ_EQUALITY, index
    if kind == int(_C.mjCNSTR_FRICTION_DOF):
        return physics.mjtObj.mjOBJ_JOINT, int(model.dof_jntid[index])
    return (physics.mjtObj.mjOBJ_JOINT if kind == int(_C.mjCNSTR_LIMIT_JOINT) else physics.mjtObj.mjOBJ_TENDON), index


def _side(data: MjData, contact: int, side: int) -> ElementAt:
    """The geom or flex on a side of a contact, 0 or 1."""
    geom = int(data.contact.geom[contact][side])
    flex = int(data.contact.flex[contact][side])
    return (physics.mjtObj.mjOBJ_GEOM, geom) if geom >= 0 else (physics.mjtObj.mjOBJ_FLEX, flex)


def owner(model: MjModel, data: MjData, row: int) -> str:
    """Name of a constraint row's element."""
    if int(data.efc_type[row]) in _CONTACTS:
        first, second = (name_of(model, *_side(data, int(data.efc_id[row]), side)) for side in range(2))
        return f"{first} on {second}"
    return name_of(model, *element_of(model, data, row))


class RaisedConstant(Struct, frozen=True):
    """An element whose solref has a time constant below two time steps, which the engine raises (refsafe).

    asked: the constant in the file [s]; text: the element's name with the field and the constant.
    """

    element: ElementAt
    asked: float
    text: str


def raised_time_constants(model: MjModel) -> list[RaisedConstant]:
    """Elements whose time constants the engine raises; without geoms that collide with nothing and what has no limit."""
    least = least_time(float(model.opt.timestep), int(model.opt.disableflags))
    collides = np.asarray(model.geom_contype) | np.asarray(model.geom_conaffinity)
    fields = (
        ("geom_solref", physics.mjtObj.mjOBJ_GEOM, collides), ("pair_solref", physics.mjtObj.mjOBJ_PAIR, np.ones(model.npair)),
        ("eq_solref", physics.mjtObj.mjOBJ_EQUALITY, np.ones(model.neq)),
        ("jnt_solref", physics.mjtObj.mjOBJ_JOINT, np.asarray(model.jnt_limited)),
        ("tendon_solref_lim", physics.mjtObj.mjOBJ_TENDON, np.asarray(model.tendon_limited)),
    )  # fmt: skip
    raised = []
    for name, kind, used in fields:
        for i, asked in enumerate(map(tuple, np.asarray(getattr(model, name)).tolist())):
            if used[i] and valid_ref(*asked, least, asked) != asked:
                raised.append(RaisedConstant((kind, i), asked[0], f"{name_of(model, kind, i)} ({name} {asked[0]:g} s)"))
    return raised


def servos(model: MjModel, data: MjData) -> list[Servo]:
    """Springs that no solver smooths: servos and joint springs, at the present pose, the largest share first.

    A step moves a servo along u = (M + h D)^-1 J' / (J (M + h D)^-1 J'), J its moment arms and D the damping of the joints that
    the integrator takes at the end of the step: the inertia is u' M u, the damping that helps u' D u. A servo's own damping helps
    only where the integrator is implicit.
    """
    h = float(model.opt.timestep)
    implicit = int(model.opt.integrator) in _IMPLICIT
    moves = _Moves(model, data, h, implicit)
    result = []
    for i in range(model.nu):
        if int(model.actuator_biastype[i]) != int(physics.mjtBias.mjBIAS_AFFINE):
            continue
        kp, kv = (max(0.0, -float(gain)) for gain in model.actuator_biasprm[i, 1:3])
        arms = moment_arms(model, data, i)
        if (kp or kv) and arms.any():
            result.append(_servo(model, (physics.mjtObj.mjOBJ_ACTUATOR, i), (kp, kv), moves.along(arms), h, implicit))
    for j in range(model.njnt):
        stiffness = float(model.jnt_stiffness[j])
        if stiffness <= 0:
            continue
        axis = np.zeros(model.nv)
        axis[int(model.jnt_dofadr[j])] = 1.0
        result.append(_servo(model, (physics.mjtObj.mjOBJ_JOINT, j), (stiffness, 0.0), moves.along(axis), h, implicit))
    return sorted(result, key=lambda servo: -servo.share)


class _Moves:
    """Motions that a step answers forces with; see `servos`."""

    def __init__(self, model: MjModel, data: MjData, timestep: float, implicit: bool) -> None:
        flags = int(model.opt.disableflags)
        euler = int(model.opt.integrator) == int(physics.mjtIntegrator.mjINT_EULER) and not flags & int(_OFF.mjDSBL_EULERDAMP)
        ends = (implicit or euler) and not flags & int(_OFF.mjDSBL_DAMPER)
        self._damping = np.asarray(model.dof_damping) if ends else np.zeros(model.nv)
        self._model, self._data, self._timestep = model, data, timestep

    @cached_property
    def _inertia(self) -> Array:
        inertia = np.zeros((self._model.nv, self._model.nv))
        physics.mj_fullM(self._model, inertia, self._data.qM)
        return inertia

    @cached_property
    def _answer(self) -> Array:
        """(M + h D)^-1."""
        answer: Array = np.linalg.inv(self._inertia + self._timestep * np.diag(self._damping))
        return answer

    def along(self, arms: Array) -> tuple[float, float]:
        """Inertia that a force with these moment arms moves, and the damping of joints that helps."""
        if not self._damping.any():
            return 1 / mobility(self._model, self._data, arms), 0.0
        moved = self._answer @ arms
        moved /= arms @ moved
        return float(moved @ self._inertia @ moved), float(self._damping @ moved**2)


def _servo(
    model: MjModel, element: ElementAt, gains: tuple[float, float], moves: tuple[float, float], timestep: float, implicit: bool
) -> Servo:
    (stiffness, damping), (inertia, joints), name = gains, moves, name_of(model, *element)
    spring, helped = Spring(stiffness / inertia, damping / inertia), joints / inertia
    share, longest = share_of(spring, timestep, implicit, helped), _longest(spring, implicit, helped)
    return Servo(name, stiffness, damping, inertia, share, longest, element, helped)


def share_of(spring: Spring, timestep: float, implicit: bool, helped: float = 0.0) -> float:
    """Share of stability of a spring alone.

    implicit: its damping is taken at the end of the step; helped: damping of others that always is [1/s].
    From the step (1 + h b) v' = v - h g v - h w x, x' = x + h v', whose eigenvalue -1 is the limit.
    """
    if implicit:
        return damped_share(Spring(spring.K, spring.B + helped), timestep)
    return 4 * float(spring.step_share(1.0, timestep)) / (4 + 2 * timestep * helped)


def _longest(spring: Spring, implicit: bool, helped: float) -> float:
    """The time step [s] at which `share_of` is COARSE."""
    if implicit:
        return longest_damped_step(Spring(spring.K, spring.B + helped))
    left = spring.B - COARSE * helped
    if spring.K <= 0:
        return 2 * COARSE / left if left > 0 else math.inf
    return (math.sqrt(left * left + 4 * COARSE * spring.K) - left) / spring.K


def damped_share(spring: Spring, timestep: float) -> float:
    """Share of stability of a spring whose damping is taken at the end of the step, h^2 w / (4 + 2 h g): damping only helps.

    From the step v' = (v - h w x) / (1 + h g), x' = x + h v', whose eigenvalue -1 is the limit.
    """
    return timestep**2 * spring.K / (4 + 2 * timestep * spring.B)


def longest_damped_step(spring: Spring) -> float:
    """The time step [s] at which `damped_share` is COARSE."""
    if spring.K <= 0:
        return math.inf
    helped = COARSE * spring.B
    return (helped + math.sqrt(helped * helped + 4 * COARSE * spring.K)) / spring.K


def longest_step(spring: Spring, d: float) -> float:
    """The time step [s] at which a spring at an impedance d has the share COARSE: h^2 w + 2 h g = 4 COARSE."""
    w, g = spring.K * d * d, spring.B * d
    if w <= 0:
        return 2 * COARSE / g if g > 0 else math.inf
    return (math.sqrt(g * g + 4 * COARSE * w) - g) / w

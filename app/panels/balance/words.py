"""Origins of forces in words: names of rows, their colours, and the element that a row is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tumble import physics
from tumble.app.describe.contacts import Names
from tumble.app.describe.names import name_of
from tumble.app.describe.subject import NOTHING, Subject, constraint_subject, element_subject
from tumble.physics.observe.energy_account import INTEGRATOR, contact_of, pair_sides
from tumble.physics.query.balance.terms import Origin

if TYPE_CHECKING:
    from tumble.physics import MjModel

_OBJ, _C = physics.mjtObj, physics.mjtConstraint
_JOINT, _TENDON, _BODY, _GEOM, _FLEX = _OBJ.mjOBJ_JOINT, _OBJ.mjOBJ_TENDON, _OBJ.mjOBJ_BODY, _OBJ.mjOBJ_GEOM, _OBJ.mjOBJ_FLEX
# Rows of an account of energy that are no origins of forces.
KINETIC, POTENTIAL, REST = -3, -2, -1
# Of each origin: its name, and the kind of its elements.
_WORDS: dict[int, tuple[str, physics.mjtObj | None]] = {
    Origin.INERTIA: ("Inertia \N{MINUS SIGN}M qacc", None),
    Origin.GRAVITY: ("Gravity", None),
    Origin.CORIOLIS: ("Coriolis and centrifugal", None),
    Origin.CENTRIFUGAL: ("Centrifugal", None),
    Origin.COUPLING: ("Coriolis", None),
    Origin.JOINT_SPRING: ("Spring", _JOINT),
    Origin.TENDON_SPRING: ("Tendon spring", _TENDON),
    Origin.SOFT_SPRING: ("Elasticity", _FLEX),
    Origin.CONTACT_SPRING: ("Contact spring", None),
    Origin.JOINT_DAMPER: ("Damper", _JOINT),
    Origin.TENDON_DAMPER: ("Tendon damper", _TENDON),
    Origin.SOFT_DAMPER: ("Soft damping", _FLEX),
    Origin.GRAVITY_COMPENSATION: ("Gravity compensation", _BODY),
    Origin.BOX_VISCOSITY: ("Medium, viscosity", _BODY),
    Origin.BOX_DRAG: ("Medium, drag", _BODY),
    Origin.ADDED_MASS: ("Medium, added mass", _GEOM),
    Origin.VISCOSITY: ("Medium, viscosity", _GEOM),
    Origin.DRAG: ("Medium, drag", _GEOM),
    Origin.MAGNUS: ("Medium, Magnus lift", _GEOM),
    Origin.KUTTA: ("Medium, Kutta lift", _GEOM),
    Origin.PASSIVE_FUNCTION: ("Callbacks and plugins", None),
    Origin.ACTUATOR: ("Actuator", _OBJ.mjOBJ_ACTUATOR),
    Origin.ACTUATOR_LIMIT: ("Beyond actuatorfrcrange", _JOINT),
    Origin.APPLIED: ("qfrc_applied", _JOINT),
    Origin.PUSH: ("xfrc_applied", _BODY),
    Origin.EQUALITY: ("Equality", _OBJ.mjOBJ_EQUALITY),
    Origin.DOF_FRICTION: ("Joint friction", None),
    Origin.TENDON_FRICTION: ("Tendon friction", _TENDON),
    Origin.JOINT_LIMIT: ("Joint limit", _JOINT),
    Origin.TENDON_LIMIT: ("Tendon limit", _TENDON),
    Origin.CONTACT: ("Contact", None),
    Origin.REMAINDER: ("Remainder", None),
    INTEGRATOR: ("Implicit integration", None),
    KINETIC: ("Kinetic energy", None),
    POTENTIAL: ("Potential energy", None),
    REST: ("Rest: error of the integrator", None),
}
# Colours by kind of origin, for bars, curves and arrows; names in the theme.
INKS: dict[int, str] = {
    Origin.INERTIA: "dim", Origin.GRAVITY: "ink0", Origin.CORIOLIS: "ink6", Origin.CENTRIFUGAL: "ink6",
    Origin.COUPLING: "ink6", Origin.ACTUATOR: "ink2",
    Origin.ACTUATOR_LIMIT: "ink2", Origin.APPLIED: "ink4", Origin.PUSH: "ink4", Origin.CONTACT: "ink1",
    Origin.REMAINDER: "bad", INTEGRATOR: "bad",
    KINETIC: "ink0", POTENTIAL: "ink6", REST: "bad",
}  # fmt: skip
_PASSIVE, _MEDIUM, _CONSTRAINT = "ink3", "ink5", "ink7"
_PAIRS = (Origin.CONTACT, Origin.CONTACT_SPRING)


def ink_of(origin: int) -> str:
    """Colour of an origin, or of another row of an account."""
    if origin in INKS:
        return INKS[origin]
    if Origin.BOX_VISCOSITY <= origin <= Origin.KUTTA:
        return _MEDIUM
    return _PASSIVE if origin <= Origin.PASSIVE_FUNCTION else _CONSTRAINT


def remainder_words(*, hard: bool) -> str:
    """Meaning of the remainder. hard: contacts are hard (LCP)."""
    if hard:
        return (
            "With hard contacts the acceleration is that of the step, in which dampers and actuators are implicit: the remainder "
            "is what their forces change by during the step"
        )
    return (
        "What a sum of zero lacks: the gradient at which the solver stopped. Its tolerance and iterations are in Options; with "
        "PGS it is rounding"
    )


class TermNames:
    """Names of terms of one model. ident: as in Balance, but for contacts the code of their pair, or `contact_idents`."""

    def __init__(self, model: MjModel) -> None:
        self._model = model
        self._contacts = Names(model)
        self._known: dict[tuple[int, int], str] = {}

    def name(self, origin: int, ident: int) -> str:
        """Origin and element: Actuator hip_x."""
        key = origin, ident
        if key not in self._known:
            words, kind = _WORDS[origin]
            element = self._element(origin, ident, kind)
            self._known[key] = f"{words}: {element}" if element else words
        return self._known[key]

    def _element(self, origin: int, ident: int, kind: physics.mjtObj | None) -> str:
        if origin in _PAIRS:
            pair, contact = self._contacts.pair(np.array(pair_sides(self._model, ident))), contact_of(self._model, ident)
            return pair if contact < 0 else f"{pair} [{contact}]"
        if origin == Origin.DOF_FRICTION:
            return self._contacts.element(int(_C.mjCNSTR_FRICTION_DOF), ident)
        return "" if kind is None or ident < 0 else name_of(self._model, kind, ident)


def subject_of(model: MjModel, origin: int, ident: int) -> Subject:
    """The body or pair that a term is about, for the view to mark."""
    if origin in _PAIRS:
        return Subject(pair=pair_sides(model, ident))
    if origin == Origin.DOF_FRICTION:
        return constraint_subject(model, int(_C.mjCNSTR_FRICTION_DOF), ident)
    kind = _WORDS[origin][1]
    return NOTHING if kind is None or ident < 0 or kind == _FLEX else element_subject(model, kind, ident)


def place_of(origin: int, ident: int) -> tuple[str, int] | None:
    """The element of a term as the panel Model knows it: the prefix of its fields, and its number."""
    kind = _WORDS[origin][1]
    prefixes = {
        _JOINT: "jnt", _TENDON: "tendon", _FLEX: "flex", _BODY: "body", _GEOM: "geom", _OBJ.mjOBJ_ACTUATOR: "actuator",
        _OBJ.mjOBJ_EQUALITY: "eq",
    }  # fmt: skip
    return None if kind is None or ident < 0 else (prefixes[kind], ident)


def is_angular(model: MjModel, dof: int) -> bool:
    """True if the force on a dof is a torque."""
    j = int(model.dof_jntid[dof])
    kind, k = int(model.jnt_type[j]), dof - int(model.jnt_dofadr[j])
    if kind == int(physics.mjtJoint.mjJNT_FREE):
        return k >= 3
    return kind != int(physics.mjtJoint.mjJNT_SLIDE)

"""Valid numbers for fields of the model: a table of checks, each of which returns the problem and the valid range."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from tumble import physics
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.option_table import SECTIONS
from tumble.app.editing.parameters import FLEX, KINDS, LARGEST, OVERRIDE, Parameter
from tumble.app.editing.shapes.shaping import size_problem
from tumble.physics.compiler.bodies.inertia import are_principal_moments
from tumble.physics.errors import MisfitError
from tumble.physics.state.constants import mjNGROUP

if TYPE_CHECKING:
    from tumble.physics import MjModel
    from tumble.physics.state.fields import Field



class Case(Struct, frozen=True):
    """Numbers wanted at a place."""

    model: MjModel
    edits: Edits
    place: EditPlace
    values: Values

    @property
    def field(self) -> str:
        """The field, as in the table."""
        return self.place.field.replace(".", "_")

    @property
    def now(self) -> Values:
        """The present values of the field."""
        return self.edits.value(self.place)

    def sibling(self, field: str) -> Values:
        """The values of another field of the element."""
        return self.edits.value(EditPlace(field, self.place.index))


Check = Callable[[Case], str]  # error message; "" if valid


def problem(field: Field, case: Case) -> str:
    """Problem with numbers for a field, and what is valid; "" if they are valid."""
    if any(not math.isfinite(v) or abs(v) > LARGEST for v in case.values):
        return f"every number must be between {-LARGEST:g} and {LARGEST:g}"
    if field.dtype == "u1" and any(v not in (0.0, 1.0) for v in case.values):
        return "it must be 0 (no) or 1 (yes)"
    if not field.dtype.startswith("f") and any(v != round(v) or abs(v) >= 2**31 for v in case.values):
        return "it must be a whole number of at most 31 bits"
    try:
        field.require(*case.values)
    except MisfitError as error:
        return str(error)
    known = _PARAMETERS.get(case.field)
    if known is not None and (why := known.problem(case.values)):
        return why
    return next((why for names, check in CHECKS if any(fnmatchcase(case.field, n) for n in names) and (why := check(case))), "")


def unit_length(field: str, values: Values) -> Values:
    """The numbers as the model is to have them: directions and quaternions of length 1. Raises ValueError for none at all."""
    if not is_direction(field) or len(values) > 4:  # the quaternions of a keyframe stand in one row
        return values
    length = float(np.linalg.norm(values))
    if length < 1e-10:
        raise ValueError("a direction must not be zero: one of the numbers has to differ from 0")
    return values if math.isclose(length, 1.0, rel_tol=1e-12) else tuple(v / length for v in values)


def is_direction(field: str) -> bool:
    """True if a field is a quaternion or a unit vector."""
    return field.endswith(("quat", "_axis")) or field == "light_dir"


# ---- the checks


def _between(low: float, high: float) -> Check:
    return lambda case: "" if all(low <= v <= high for v in case.values) else f"it must be between {low:g} and {high:g}"


def _mass(case: Case) -> str:
    low = min(case.values)
    if low < 0 or (low == 0 and min(case.now) > 0):
        return "it must be more than 0: what moves without inertia has no acceleration"
    return ""


ROUNDING = 1e-9  # of typed moments


def _triangle(case: Case) -> str:
    a, b, c = sorted(case.values)
    if not are_principal_moments(case.values, ROUNDING):
        return f"no body has these moments: the two smaller ones must sum to at least the largest, {a:g} + {b:g} < {c:g}"
    return ""


def _order(case: Case) -> str:
    low, high = case.values
    flag = case.field.replace("range", "limited")
    limited = hasattr(case.model, flag) and bool(case.sibling(flag)[0])
    if low > high or (limited and low == high):
        return f"the first must be less than the second, {low:g} is not less than {high:g}"
    return ""


def _has_range(case: Case) -> str:
    bounds = case.field.replace("limited", "range")
    if case.values[0] and hasattr(case.model, bounds):
        low, high = case.sibling(bounds)
        if low >= high:
            return f"there is no range yet: give {bounds} two numbers first, the smaller before the larger"
    return ""


def _ball_range(case: Case) -> str:
    ball = int(case.model.jnt_type[case.place.index]) == int(physics.mjtJoint.mjJNT_BALL)
    return "the range of a ball joint begins with 0" if ball and case.values[0] != 0 else ""


def _reference(count: str) -> Check:
    def check(case: Case) -> str:
        most = int(getattr(case.model, count)) - 1
        return "" if all(-1 <= v <= most for v in case.values) else f"it must be -1 (none) or 0 to {most}"

    return check


def _spring_length(case: Case) -> str:
    low, high = case.values
    if low < 0 or high < low:
        return "two lengths, 0 or more, the smaller before the larger"
    return ""


def _bias(case: Case) -> str:
    servo = case.sibling("actuator_gainprm")[0] == -case.values[1]
    if servo and case.values[2] > 0:
        return "a positive third number is a damping ratio, which only a file can give: give -damping"
    return ""


def _delay(case: Case) -> str:
    if case.values[0] < 0:
        return _NOT_NEGATIVE
    samples = case.sibling(case.field.replace("delay", "history"))[0]
    return "" if samples or not case.values[0] else "it has no history to read from: give it nsample in the file first"


def _interval(case: Case) -> str:
    period, phase = case.values
    if period < 0:
        return "the period must be 0 or more"
    if phase > 0 or (phase and phase <= -period):
        return f"the phase must be 0, or negative and greater than {-period:g}: it is a time before the beginning"
    samples = case.sibling("sensor_history")[0]
    return "" if samples or not period else "it has no history to keep readings in: give it nsample in the file first"


def _size(case: Case) -> str:
    prefix, _, _ = case.field.partition("_")
    return size_problem(int(getattr(case.model, f"{prefix}_type")[case.place.index]), case.values)


_NOT_NEGATIVE = "it must be 0 or more"
CHECKS: tuple[tuple[tuple[str, ...], Check], ...] = (
    (("body_mass", "body_inertia"), _mass),
    (("body_inertia",), _triangle),
    (("geom_size", "site_size"), _size),
    (("jnt_range",), _ball_range),
    (("*range",), lambda case: _order(case) if len(case.values) == 2 else ""),
    (("*limited",), _has_range),
    (("tendon_lengthspring",), _spring_length),
    (("actuator_biasprm",), _bias),
    (("actuator_delay", "sensor_delay"), _delay),
    (("sensor_interval",), _interval),
    (("*_group",), _between(0, mjNGROUP - 1)),
    (("*_matid",), _reference("nmat")),
    (("*_texid",), _reference("ntex")),
    (("*_rgba", "vis_rgba_*", "*_ambient", "*_diffuse", "*_specular", "mat_shininess", "mat_reflectance"), _between(0, 1)),
    (("dof_damping", "dof_armature", "jnt_stiffness", "tendon_stiffness", "tendon_damping", "tendon_armature",
      "tendon_width", "sensor_cutoff", "sensor_noise", "body_margin", "flex_margin", "cam_ipd", "light_range",
      "light_attenuation", "light_exponent", "mat_emission"), lambda case: "" if min(case.values) >= 0 else _NOT_NEGATIVE),
    (("stat_extent", "stat_meansize", "stat_meanmass", "stat_meaninertia", "actuator_cranklength", "cam_fovy", "cam_resolution",
      "hfield_size"),
     lambda case: "" if min(case.values) > 0 else "it must be more than 0"),
)  # fmt: skip
_OPTIONS = [row for section in SECTIONS for row in section.rows if isinstance(row, Parameter)]
_KNOWN = [*(parameter for kind in KINDS for parameter in kind.parameters), *OVERRIDE, *FLEX, *_OPTIONS]
_PARAMETERS = {parameter.field.replace(".", "_"): parameter for parameter in _KNOWN}


def split(text: str) -> Sequence[str]:
    """The numbers of a text, as typed: separated by spaces, semicolons or brackets."""
    for sign in ";[]()\n\t":
        text = text.replace(sign, " ")
    return text.split()

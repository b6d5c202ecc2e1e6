"""Parameters of contacts, constraints and soft bodies: their fields in the model, units and valid ranges."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field

from tumble import physics
from tumble.app.describe.names import name_of
from tumble.app.describe.numbers import MINUS
from tumble.app.editing.edits import EditPlace
from tumble.physics.state.fields import MODEL

if TYPE_CHECKING:
    from tumble.physics import MjModel

LARGEST = 1e10  # realistic times, ratios and lengths are far smaller
CONDIMS = (1, 3, 4, 6)
_SINGLE = {f.name for f in MODEL if f.dtype == "f4"}
LENGTH, FORCE = "<length>", "<force>"  # units that the kind of joint decides
FREE, BALL, SLIDE, HINGE = (int(physics.mjtJoint[f"mjJNT_{name}"]) for name in ("FREE", "BALL", "SLIDE", "HINGE"))


class Part(Struct, frozen=True):
    """One number of a parameter: caption, unit ("" for none), least and largest valid value."""

    caption: str
    unit: str = ""
    low: float = -LARGEST
    high: float = LARGEST


class Parameter(Struct, frozen=True):
    """A parameter of an element. attribute: its name in MJCF; field: in the model; tip: its effect, in a sentence.

    choices: the valid numbers, where they are few; whole: whether it is an integer.
    """

    attribute: str
    field: str
    parts: tuple[Part, ...]
    tip: str
    choices: tuple[int, ...] = ()
    whole: bool = False

    def problem(self, values: Sequence[float]) -> str:
        """Problem with values, and what is valid; "" if they are valid."""
        for part, value in zip(self.parts, values, strict=True):
            if not math.isfinite(value):
                return f"{part.caption} must be a number"
            if self.whole and value != round(value):
                return f"{part.caption} must be a whole number"
            if not part.low <= value <= part.high:
                return f"{part.caption} must be {valid(part)}"
        if self.choices and values[0] not in self.choices:
            return f"{self.attribute} must be {', '.join(map(str, self.choices[:-1]))} or {self.choices[-1]}"
        return _ref_problem(self, values) if "solref" in self.attribute else ""


def valid(part: Part) -> str:
    """The valid range of a number in words."""
    if part.low <= -LARGEST and part.high >= LARGEST:
        return "any number"
    if part.high >= LARGEST:
        return f"{part.low:g} or more"
    return f"between {part.low:g} and {part.high:g}"


def _ref_problem(parameter: Parameter, values: Sequence[float]) -> str:
    first, second = values
    unused = parameter.field == "pair_solreffriction" and first == second == 0
    if unused or (first > 0 and second > 0) or (first < 0 and second <= 0):
        return ""
    return "valid: two positive numbers (time constant, damping ratio), or two negative ones (-stiffness, -damping)"


def _ref(attribute: str, field: str, what: str) -> Parameter:
    parts = (Part("timeconst", "s"), Part("dampratio"))
    tip = f"{what}: time constant [s] and damping ratio; or -stiffness [1/s²] and -damping [1/s]"
    return Parameter(attribute, field, parts, tip)


def _imp(attribute: str, field: str) -> Parameter:
    parts = (
        Part("d0", "", 0, 1), Part("dwidth", "", 0, 1), Part("width", LENGTH, 0), Part("midpoint", "", 0, 1),
        Part("power", "", 1),
    )  # fmt: skip
    tip = "Share of the reference acceleration that is enforced: d0 at the surface, rising to dwidth at the depth width"
    return Parameter(attribute, field, parts, tip)


def _number(
    attribute: str, field: str, tip: str, part: Part, *, whole: bool = False, choices: tuple[int, ...] = ()
) -> Parameter:
    return Parameter(attribute, field, (part,), tip, choices, whole)


_MARGIN = "Distance at which it becomes active"
_SPRING, _DRY = "How it is pushed back", "How friction slows the motion"


def _friction(field: str, captions: Sequence[str], attribute: str = "friction") -> Parameter:
    units = {"torsion": "m", "roll": "m", "roll 2": "m"}
    return Parameter(
        attribute, field, tuple(Part(c, units.get(c, ""), 0) for c in captions),
        "Coefficients of friction: sliding (force per force), torsion and rolling (length)",
    )  # fmt: skip


GEOM = (
    _ref("solref", "geom_solref", _SPRING),
    _imp("solimp", "geom_solimp"),
    _friction("geom_friction", ("slide", "torsion", "roll")),
    _number("condim", "geom_condim", "Dimensions of a contact: 1 no friction, 3 sliding, 4 torsion too, 6 rolling too",
            Part("condim"), whole=True, choices=CONDIMS),
    _number("margin", "geom_margin", _MARGIN + "; the margins of both geoms add up", Part("margin", "m", 0)),
    _number("gap", "geom_gap", "Part of the margin in which a contact is detected but exerts no force", Part("gap", "m", 0)),
    _number("priority", "geom_priority", "The geom with the higher priority decides the whole contact",
            Part("priority", "", -(2**31), 2**31 - 1), whole=True),
    _number("solmix", "geom_solmix", "Weight of this geom's solref and solimp where priorities are equal", Part("solmix", "", 0)),
)  # fmt: skip
PAIR = (
    _ref("solref", "pair_solref", _SPRING),
    _ref("solreffriction", "pair_solreffriction", "The same for friction of elliptic cones; 0 0: as solref"),
    _imp("solimp", "pair_solimp"),
    _friction("pair_friction", ("slide", "slide 2", "torsion", "roll", "roll 2")),
    _number("condim", "pair_dim", "Dimensions of a contact: 1 no friction, 3 sliding, 4 torsion too, 6 rolling too",
            Part("condim"), whole=True, choices=CONDIMS),
    _number("margin", "pair_margin", _MARGIN, Part("margin", "m", 0)),
    _number("gap", "pair_gap", "Part of the margin in which a contact is detected but exerts no force", Part("gap", "m", 0)),
)  # fmt: skip
JOINT_LIMIT = (
    _ref("solreflimit", "jnt_solref", _SPRING),
    _imp("solimplimit", "jnt_solimp"),
    _number("margin", "jnt_margin", _MARGIN, Part("margin", LENGTH, 0)),
)
JOINT_FRICTION = (
    _number("frictionloss", "dof_frictionloss", "Largest dry friction", Part("frictionloss", FORCE, 0)),
    _ref("solreffriction", "dof_solref", _DRY),
    _imp("solimpfriction", "dof_solimp"),
)
EQUALITY = (_ref("solref", "eq_solref", _SPRING), _imp("solimp", "eq_solimp"))
TENDON_LIMIT = (
    _ref("solreflimit", "tendon_solref_lim", _SPRING),
    _imp("solimplimit", "tendon_solimp_lim"),
    _number("margin", "tendon_margin", _MARGIN, Part("margin", LENGTH, 0)),
)
TENDON_FRICTION = (
    _number("frictionloss", "tendon_frictionloss", "Largest dry friction", Part("frictionloss", FORCE, 0)),
    _ref("solreffriction", "tendon_solref_fri", _DRY),
    _imp("solimpfriction", "tendon_solimp_fri"),
)
OVERRIDE = (
    _ref("o_solref", "opt.o_solref", _SPRING),
    _imp("o_solimp", "opt.o_solimp"),
    _friction("opt.o_friction", ("slide", "slide 2", "torsion", "roll", "roll 2"), "o_friction"),
    _number("o_margin", "opt.o_margin", _MARGIN, Part("margin", "m", 0)),
)
FLEX = (
    Parameter("Young's modulus", "flex_young", (Part("young", "Pa", 0),),
              "Resistance of the material to stretching and bending: the pressure that would double its length"),
    Parameter("Poisson's ratio", "flex_poisson", (Part("poisson", "", 0, 0.499),),
              "How much it thins as it is stretched: 0 not at all; near 0.5 it keeps its volume, and needs small steps"),
    Parameter("thickness", "flex_thickness", (Part("thickness", "m", 1e-9),),
              "Thickness of the cloth for its elasticity; bends resist with its third power. How far it collides is the radius"),
    Parameter("edge stiffness", "flex_edgestiffness", (Part("stiffness", "N/m", 0),),
              "Spring along every edge; 0: edges are held by elasticity or by constraints alone"),
    Parameter("edge damping", "flex_edgedamping", (Part("damping", "N·s/m", 0),), "Damper along every edge"),
    Parameter("damping", "flex_damping", (Part("damping", "s", 0),),
              "Damping of elastic forces, as a time by which they lag: force of the stiffness times this times the speed"),
    Parameter("radius", "flex_radius", (Part("radius", "m", 0),), "Half the thickness with which it collides and is drawn"),
)  # fmt: skip


class ParameterOwner(Struct, frozen=True):
    """A kind of element that has such parameters.

    name: the key; title: text for the user; obj: for names; field: its first parameter's, which says how many there
    are; rows: which constraint rows are its own (mjtConstraint, and whether efc_id is a dof); friction: whether it is dry
    friction, which has no depth; listed: which of the elements have it.
    """

    name: str
    title: str
    obj: physics.mjtObj
    count: str
    parameters: tuple[Parameter, ...]
    rows: str = ""
    friction: bool = False
    listed: Callable[[MjModel, int], bool] = field(default=lambda model, index: True)

    def elements(self, model: MjModel) -> list[tuple[int, str]]:
        """Number and name of all elements of this kind."""
        return [(i, name_of(model, self.obj, i)) for i in range(getattr(model, self.count)) if self.listed(model, i)]

    def parameter(self, attribute: str) -> Parameter:
        """A parameter by the name it has in MJCF. Raises KeyError."""
        by_name = {p.attribute: p for p in self.parameters}
        return by_name[attribute]


_OBJ = physics.mjtObj
KINDS = (
    ParameterOwner("geom", "Geom", _OBJ.mjOBJ_GEOM, "ngeom", GEOM),
    ParameterOwner("pair", "Contact pair", _OBJ.mjOBJ_PAIR, "npair", PAIR),
    ParameterOwner("joint limit", "Joint limit", _OBJ.mjOBJ_JOINT, "njnt", JOINT_LIMIT, "LIMIT_JOINT",
         listed=lambda m, j: bool(m.jnt_limited[j]) and int(m.jnt_type[j]) != FREE),
    ParameterOwner("joint friction", "Joint friction", _OBJ.mjOBJ_JOINT, "njnt", JOINT_FRICTION, "FRICTION_DOF", friction=True),
    ParameterOwner("equality", "Equality", _OBJ.mjOBJ_EQUALITY, "neq", EQUALITY, "EQUALITY"),
    ParameterOwner("tendon limit", "Tendon limit", _OBJ.mjOBJ_TENDON, "ntendon", TENDON_LIMIT, "LIMIT_TENDON",
         listed=lambda m, t: bool(m.tendon_limited[t])),
    ParameterOwner("tendon friction", "Tendon friction", _OBJ.mjOBJ_TENDON, "ntendon", TENDON_FRICTION, "FRICTION_TENDON",
                friction=True),
)  # fmt: skip


def kind_named(name: str) -> ParameterOwner:
    """A kind by its key. Raises KeyError."""
    return {kind.name: kind for kind in KINDS}[name]


def kinds_of(model: MjModel) -> list[ParameterOwner]:
    """The kinds that a model has elements of."""
    return [kind for kind in KINDS if any(kind.listed(model, i) for i in range(getattr(model, kind.count)))]


def places(model: MjModel, kind: ParameterOwner, index: int, parameter: Parameter) -> tuple[EditPlace, ...]:
    """The places of a parameter's numbers: friction of a joint once for each of its dofs, all others once."""
    if kind.name == "joint friction":
        return tuple(EditPlace(parameter.field, i) for i in dofs(model, index))
    return (EditPlace(parameter.field, index),)


def dofs(model: MjModel, joint: int) -> range:
    """The dofs of a joint."""
    first = int(model.jnt_dofadr[joint])
    return range(first, first + {FREE: 6, BALL: 3}.get(int(model.jnt_type[joint]), 1))


def of_body(model: MjModel, kind: ParameterOwner, index: int, body: int) -> bool:
    """True if an element belongs to a body: its geom, its joint, a pair or an equality constraint with it."""
    if kind.name == "geom":
        return int(model.geom_bodyid[index]) == body
    if kind.name in ("joint limit", "joint friction"):
        return int(model.jnt_bodyid[index]) == body
    if kind.name == "pair":
        return body in (int(model.geom_bodyid[g]) for g in (model.pair_geom1[index], model.pair_geom2[index]))
    if kind.name == "equality" and int(model.eq_objtype[index]) == int(_OBJ.mjOBJ_BODY):
        return body in (int(model.eq_obj1id[index]), int(model.eq_obj2id[index]))
    return False


def units(model: MjModel, kind: ParameterOwner, index: int) -> tuple[str, str]:
    """The units of length and force of an element: those of an angle and a torque where it turns."""
    turns = False
    if kind.name in ("joint limit", "joint friction"):
        turns = int(model.jnt_type[index]) in (BALL, HINGE)
    elif kind.name == "equality" and int(model.eq_type[index]) == int(physics.mjtEq.mjEQ_JOINT):
        turns = int(model.jnt_type[model.eq_obj1id[index]]) == HINGE
    return ("rad", "N·m") if turns else ("m", "N")


def unit(part: Part, length: str, force: str) -> str:
    """The unit of a number, where length and force are in these units."""
    return {LENGTH: length, FORCE: force}.get(part.unit, part.unit)


def parse(text: str) -> float | None:
    """The number in a text, None if invalid; a decimal comma is read as a point."""
    try:
        value = float(text.strip().replace(",", ".").replace(MINUS, "-"))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def exact(field: str, values: Sequence[float]) -> tuple[float, ...]:
    """Numbers of a field of the model as the shortest that are read as these: those of single precision have few digits."""
    return tuple(float(str(np.float32(v))) for v in values) if field in _SINGLE else tuple(values)


def shown(value: float) -> str:
    """The shortest text that reads back as exactly this number."""
    if math.isfinite(value) and value == round(value) and abs(value) < 1e15 and not (value == 0 and np.signbit(value)):
        return str(round(value))
    return repr(float(value))

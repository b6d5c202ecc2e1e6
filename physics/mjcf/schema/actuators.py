"""MJCF 3.5.0, the section actuator.

All kinds share one default, that of `general`: a shortcut (motor, position, ...) is another way to write the same
parameters, and what it does not say stays as the default class left it. So the gains of shortcuts (kp, kv, area, ...)
have no default here: it depends on the steps before, see physics/mjcf/defaults.py.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from tumble.physics.mjcf.schema.grammar import ElementRule, rule, without
from tumble.physics.mjcf.schema.settings import config
from tumble.physics.state.enums import mjtBias, mjtDyn, mjtGain


def _words(kinds: type[IntEnum]) -> str:
    """The keywords for an enumeration: `none|integrator|...`."""
    return "|".join(kind.name.rpartition("_")[2].lower() for kind in kinds)


_DYNAMICS, _GAINS, _BIASES = _words(mjtDyn), _words(mjtGain), _words(mjtBias)

COMMON = """
    group,nsample  int = 0
    interp        keys zoh|linear|cubic = zoh
    delay         real = 0
    ctrllimited,forcelimited  keys false|true|auto = auto
    ctrlrange,forcerange  real 2 = 0 0
    gear          real 1..6 = 1 0 0 0 0 0
    cranklength   real = 0
    user          real 1..*
"""
ACTIVATION = """
    actlimited  keys false|true|auto = auto
    actrange    real 2 = 0 0
    actdim      int = -1
    actearly    bool = false
"""
DYNTYPE = f"""
    dyntype  keys {_DYNAMICS} = none
    dynprm   real 1..10 = 1 0 0 0 0 0 0 0 0 0
"""
GAINS = f"""
    gaintype  keys {_GAINS} = fixed
    biastype  keys {_BIASES} = none
    gainprm   real 1..10 = 1 0 0 0 0 0 0 0 0 0
    biasprm   real 1..10 = 0 0 0 0 0 0 0 0 0 0
"""

_NAMED = """
    name   name
    class  class
"""
_TARGET = """
    joint,jointinparent  ref joint
    tendon               ref tendon
    slidersite,cranksite,site  ref site
    lengthrange          real 2 = 0 0
"""
_REFSITE = "refsite ref site\n"
_BODY = "body ref body\n"


class ActuatorKind(Struct, frozen=True):
    """One kind of actuator, by the tag of its element.

    What it makes of its attributes is a method of that name in physics/compiler/relations/actuators.py.
    own: attributes that a default class may set too, beyond the common ones, less those it lacks. targets: what it can act
    on. element: attributes that no default class can set. magnitudes: numbers that must not be negative. one_sided: it
    pushes one way only, so its control is limited, and not below 0.
    """

    tag: str
    own: str = ""
    magnitudes: str = ""
    targets: str = _TARGET + _REFSITE
    element: str = ""
    lacks: str = ""
    one_sided: bool = False

    @property
    def defaults(self) -> str:
        """Attributes that a default class may set."""
        lacks = self.lacks.split() + ["ctrllimited"] * self.one_sided
        return f"{without(COMMON, *lacks)}\n{self.own}"


KINDS = {kind.tag: kind for kind in (
    ActuatorKind("general", ACTIVATION + DYNTYPE + GAINS, targets=_TARGET + _REFSITE + _BODY),
    ActuatorKind("motor"),
    ActuatorKind("position", "kp,kv,dampratio,timeconst,inheritrange real\n", "kv dampratio timeconst"),
    ActuatorKind("velocity", "kv real\n"),
    ActuatorKind("intvelocity", "actrange real 2 = 0 0\n kp,kv,dampratio,inheritrange real\n", "kv dampratio"),
    ActuatorKind("damper", "kv real\n", "kv", one_sided=True),
    ActuatorKind("cylinder", "timeconst,area,diameter real\n bias real 3\n", "timeconst area diameter"),
    ActuatorKind("muscle", "timeconst,range real 2\n force,scale,lmin,lmax,vmax,fpmax,fvmax real\n",
                 "timeconst tausmooth range scale lmin lmax vmax fpmax fvmax", without(_TARGET, "site"), "tausmooth real\n"),
    ActuatorKind("adhesion", "gain real\n", "gain", _BODY, lacks="gear cranklength", one_sided=True),
)}  # fmt: skip

# Values of the general default that a shortcut computes instead of copying.
COMPUTED = frozenset({"gaintype", "biastype", "gainprm", "biasprm", "dyntype", "dynprm", "inheritrange"})


def _actuator(tag: str, table: str, children: list[ElementRule], status: str = "") -> ElementRule:
    targets = ("joint", "jointinparent", "tendon", "slidersite", "site", "body")
    made = rule(tag, "*", _NAMED + table, children, status, names="actuator", defaults="general")
    made.exclusive += (tuple(t for t in targets if t in made.attributes),)
    return made


ACTUATOR = rule("actuator", "*", "", [
    *(_actuator(kind.tag, f"{kind.targets}\n{kind.element}{kind.defaults}", []) for kind in KINDS.values()),
    _actuator("plugin", "plugin string\n instance ref plugin\n" + _TARGET + COMMON + ACTIVATION + DYNTYPE, [config()]),
])

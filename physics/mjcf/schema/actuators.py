"""MJCF 3.5.0, the section actuator.

All kinds share one default, that of `general`: a shortcut (motor, position, ...) is another way to write the same
parameters, and what it does not say stays as the default class left it. So the gains of shortcuts (kp, kv, area, ...)
have no default here: it depends on the steps before, see physics/mjcf/defaults.py.
"""

from __future__ import annotations

from physics.mjcf.schema.grammar import ElementRule, rule, without
from physics.mjcf.schema.settings import config

DYNAMICS = "none|integrator|filter|filterexact|muscle|user"

COMMON = """
    group         int = 0
    nsample       int = 0 -- refused: there is no history of signals yet
    interp        keys zoh|linear|cubic = zoh -- ignored: stored; it matters with nsample, which is refused
    delay         real = 0 -- refused: there is no history of signals yet
    ctrllimited   keys false|true|auto = auto
    forcelimited  keys false|true|auto = auto
    ctrlrange     real 2 = 0 0
    forcerange    real 2 = 0 0
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
    dyntype  keys {DYNAMICS} = none -- partly user: stored; it asks for a function of the reference's C interface, so act stays
    dynprm   real 1..10 = 1 0 0 0 0 0 0 0 0 0
"""
GAINS = """
    gaintype  keys fixed|affine|muscle|user = fixed -- partly user: stored; it asks for a function of the C interface
    biastype  keys none|affine|muscle|user = none -- partly user: stored; it asks for a function of the C interface
    gainprm   real 1..10 = 1 0 0 0 0 0 0 0 0 0
    biasprm   real 1..10 = 0 0 0 0 0 0 0 0 0 0
"""

# What a default class may set, by tag.
ACTUATOR_DEFAULTS = {
    "general": COMMON + ACTIVATION + DYNTYPE + GAINS,
    "motor": COMMON,
    "position": COMMON + "kp,kv,dampratio,timeconst,inheritrange real\n",
    "velocity": COMMON + "kv real\n",
    "intvelocity": COMMON + "actrange real 2 = 0 0\n kp,kv,dampratio,inheritrange real\n",
    "damper": without(COMMON, "ctrllimited") + "\n kv real\n",
    "cylinder": COMMON + "timeconst,area,diameter real\n bias real 3\n",
    "muscle": COMMON + "timeconst,range real 2\n force,scale,lmin,lmax,vmax,fpmax,fvmax real\n",
    "adhesion": without(COMMON, "ctrllimited", "gear", "cranklength") + "\n gain real\n",
}

# Values of the general default that a shortcut computes instead of copying.
COMPUTED = frozenset({"gaintype", "biastype", "gainprm", "biasprm", "dyntype", "dynprm", "inheritrange"})

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

_TARGETS = {
    "general": _TARGET + _REFSITE + _BODY,
    "motor": _TARGET + _REFSITE,
    "position": _TARGET + _REFSITE,
    "velocity": _TARGET + _REFSITE,
    "intvelocity": _TARGET + _REFSITE,
    "damper": _TARGET + _REFSITE,
    "cylinder": _TARGET + _REFSITE,
    "muscle": without(_TARGET, "site") + "\n tausmooth real\n",
    "adhesion": _BODY,
}


def _actuator(tag: str, table: str, children: list[ElementRule], status: str = "") -> ElementRule:
    targets = ("joint", "jointinparent", "tendon", "slidersite", "site", "body")
    made = rule(tag, "*", _NAMED + table, children, status, names="actuator", defaults="general")
    made.exclusive += (tuple(t for t in targets if t in made.attributes),)
    return made


ACTUATOR = rule("actuator", "*", "", [
    *(_actuator(tag, _TARGETS[tag] + table, []) for tag, table in ACTUATOR_DEFAULTS.items()),
    _actuator("plugin", "plugin string\n instance ref plugin\n" + _TARGET + COMMON + ACTIVATION + DYNTYPE, [config()],
              "refused: plugins are programs for the reference"),
])

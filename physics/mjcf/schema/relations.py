"""MJCF 3.5.0, the sections that relate others: contact, equality, tendon, sensor.

The elements of sensors come from the table of sensors (physics/sensor/kinds.py).
"""

from __future__ import annotations

from tumble.physics.mjcf.schema.bodies import NAMED
from tumble.physics.mjcf.schema.grammar import ElementRule, rule, without
from tumble.physics.mjcf.schema.settings import OBJECTS, config
from tumble.physics.sensor.kinds import FRAME, KINDS, SensorKind

PAIR_DEFAULTS = """
    condim          int = 3
    friction        real 1..5 = 1 1 0.005 0.0001 0.0001
    solref          real 1..2 = 0.02 1
    solreffriction  real 1..2 = 0 0
    solimp          real 1..5 = 0.9 0.95 0.001 0.5 2
    margin,gap  real = 0
"""

CONTACT = rule("contact", "*", "", [
    rule("pair", "*", NAMED + "geom1,geom2 ref geom !\n" + PAIR_DEFAULTS, names="pair", defaults="pair"),
    rule("exclude", "*", """
        name  name
        body1,body2  ref body !
    """, names="exclude"),
])

EQUALITY_DEFAULTS = """
    active  bool = true
    solref  real 1..2 = 0.02 1
    solimp  real 1..5 = 0.9 0.95 0.001 0.5 2
"""
_EQUALITY = NAMED + EQUALITY_DEFAULTS
# Either two bodies or two sites.
_ENDS = (("body1", "site1"), ("body2", "site2"), ("body1", "site2"), ("body2", "site1"))

EQUALITY = rule("equality", "*", "", [
    rule("connect", "*", _EQUALITY + """
        body1,body2  ref body
        site1,site2  ref site
        anchor       real 3
    """, names="equality", defaults="equality", exclusive=_ENDS, exactly=(("body1", "site1"),)),
    rule("weld", "*", _EQUALITY + """
        body1,body2  ref body
        site1,site2  ref site
        relpose      real 7
        anchor       real 3 = 0 0 0
        torquescale  real = 1
    """, names="equality", defaults="equality", exclusive=_ENDS, exactly=(("body1", "site1"),)),
    rule("joint", "*", _EQUALITY + """
        joint1    ref joint !
        joint2    ref joint
        polycoef  real 1..5 = 0 1 0 0 0
    """, names="equality", defaults="equality"),
    rule("tendon", "*", _EQUALITY + """
        tendon1   ref tendon !
        tendon2   ref tendon
        polycoef  real 1..5 = 0 1 0 0 0
    """, names="equality", defaults="equality"),
    rule("flex", "*", _EQUALITY + "flex ref flex !", names="equality", defaults="equality"),
    rule("flexvert", "*", _EQUALITY + "flex ref flex !", names="equality", defaults="equality"),
])

_TENDON_COMMON = """
    group           int = 0
    limited         keys false|true|auto = auto
    range           real 2 = 0 0
    solreflimit     real 1..2 = 0.02 1
    solimplimit     real 1..5 = 0.9 0.95 0.001 0.5 2
    solreffriction  real 1..2 = 0.02 1
    solimpfriction  real 1..5 = 0.9 0.95 0.001 0.5 2
    margin,frictionloss  real = 0
    springlength    real 1..2 fill = -1 -1
    stiffness,damping  real = 0
    user            real 1..*
"""
_TENDON_LOOK = """
    material  ref material
    width     real = 0.003
    rgba      real 4 = 0.5 0.5 0.5 1
"""
TENDON_DEFAULTS = _TENDON_COMMON + _TENDON_LOOK

# Unlike those of a joint, a tendon's actuator forces are not limited by a range alone.
_TENDON_OWN = NAMED + """
    actuatorfrclimited  keys false|true|auto = false
    actuatorfrcrange    real 2 = 0 0
    armature            real = 0
"""

TENDON = rule("tendon", "*", "", [
    rule("spatial", "*", _TENDON_OWN + TENDON_DEFAULTS, [
        rule("site", "*", "site ref site !"),
        rule("geom", "*", """
            geom      ref geom !
            sidesite  ref site
        """),
        rule("pulley", "*", "divisor real !"),
    ], names="tendon", defaults="tendon"),
    rule("fixed", "*", _TENDON_OWN + _TENDON_COMMON, [rule("joint", "*", """
        joint  ref joint !
        coef   real !
    """)], names="tendon", defaults="tendon"),
])


_SENSOR_COMMON = """
    name      name
    nsample   int = 0
    interp    keys zoh|linear|cubic = zoh
    delay     real = 0
    interval  real 1..2 = 0 0
    cutoff,noise  real = 0
    user      real 1..*
"""
_FRAMES = "body|xbody|geom|site|camera"
# Kinds of which a part is missing; what is refused stands in the table of sensors.
_PARTLY = {"tactile": "partly: meshes without a distance function and height fields do not press on it"}


def _named(spec: str, kind: SensorKind, prefix: str) -> str:
    """The attributes that name an object; prefix: of those that name one of any kind."""
    if spec == FRAME:
        needed = " !" if prefix == "obj" and not kind.free else ""
        kinds = OBJECTS if kind.free else _FRAMES
        return f"{prefix}type keys {kinds}{needed}\n{prefix}name ref @{prefix}type{needed}\n"
    words = spec.split()
    needed = " !" if len(words) == 1 else ""
    return "".join(f"{word} ref {kind_named(word)}{needed}\n" for word in words)


def kind_named(attribute: str) -> str:
    """The kind of object whose name an attribute holds: `geom2` names a geom, `subtree1` a body."""
    return attribute.rstrip("12").replace("subtree", "body")


def _sensor(kind: SensorKind) -> ElementRule:
    table = _named(kind.of, kind, "obj") + _named(kind.to, kind, "ref") + kind.attributes
    table += without(_SENSOR_COMMON, *kind.lacks.split())
    choices = tuple(tuple(spec.split()) for spec in (kind.of, kind.to) if " " in spec)
    pairs = ((kind.of, kind.free, ("objtype", "objname")), (kind.to, True, ("reftype", "refname")))
    together = tuple(pair for spec, free, pair in pairs if spec == FRAME and free)  # those that are required need no such rule
    children = (config(),) if kind.type.name.endswith("PLUGIN") else ()
    return rule(kind.tag, "*", table, children, _PARTLY.get(kind.tag, ""), names="sensor", together=together,
                exclusive=choices if kind.free else (), exactly=() if kind.free else choices)  # fmt: skip


SENSOR = rule("sensor", "*", "", [_sensor(kind) for kind in KINDS])

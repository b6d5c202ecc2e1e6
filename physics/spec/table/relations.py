"""Relations of bodies, joints and geoms; user data of a model."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.schema.actuators import KINDS as ACTUATOR_KINDS
from tumble.physics.spec.grammar import structure
from tumble.physics.spec.table.common import INFO, SOLVER, USER

PAIR = structure("MjsPair", "pair", """
    geomname1       ref geom                            : geom1
    geomname2       ref geom                            : geom2
    condim          int = 3                             : condim
""" + SOLVER + """
    solreffriction  double 2 = 0 0                      : solreffriction
    margin          double = 0                          : margin
    gap             double = 0                          : gap
    friction        double 5 = 1 1 0.005 0.0001 0.0001  : friction
""" + INFO, find("contact/pair"))

EXCLUDE = structure("MjsExclude", "exclude", """
    bodyname1  ref body  : body1
    bodyname2  ref body  : body2
""" + INFO, find("contact/exclude"))

EQUALITY = structure("MjsEquality", "equality", """
    type     mjtEq = CONNECT
    data     double 11 = 0 1 0 0 0 0 0 0 0 0 1
    active   byte = 1    : active
    name1    ref @type
    name2    ref @type
    objtype  mjtObj
""" + SOLVER + INFO, *(find(f"equality/{tag}") for tag in ("connect", "weld", "joint", "tendon", "flex", "flexvert")))

TENDON = structure("MjsTendon", "tendon", """
    stiffness        double = 0                       : stiffness
    springlength     double 2 = -1 -1                 : springlength
    damping          double = 0                       : damping
    frictionloss     double = 0                       : frictionloss
    solref_friction  double 2 = 0.02 1                : solreffriction
    solimp_friction  double 5 = 0.9 0.95 0.001 0.5 2  : solimpfriction
    armature         double = 0                       : armature
    limited          int = 2                          : limited
    actfrclimited    int = 0                          : actuatorfrclimited
    range            double 2 = 0 0                   : range
    actfrcrange      double 2 = 0 0                   : actuatorfrcrange
    margin           double = 0                       : margin
    solref_limit     double 2 = 0.02 1                : solreflimit
    solimp_limit     double 5 = 0.9 0.95 0.001 0.5 2  : solimplimit
    material         ref material                     : material
    width            double = 0.003                   : width
    rgba             float 4 = 0.5 0.5 0.5 1          : rgba
    group            int = 0                          : group
""" + USER + INFO, find("tendon/spatial"), find("tendon/fixed"))

WRAP = structure("MjsWrap", "", "type mjtWrap = SITE\n" + INFO)

ACTUATOR = structure("MjsActuator", "actuator", """
    gaintype      mjtGain = FIXED
    gainprm       double 10 = 1
    biastype      mjtBias = NONE
    biasprm       double 10 = 0
    dyntype       mjtDyn = NONE
    dynprm        double 10 = 1
    actdim        int = -1             : actdim
    actearly      byte = 0             : actearly
    trntype       mjtTrn = UNDEFINED
    gear          double 6 = 1         : gear
    target        ref @trntype
    refsite       ref site             : refsite
    slidersite    ref site             : slidersite
    cranklength   double = 0           : cranklength
    lengthrange   double 2 = 0 0       : lengthrange
    inheritrange  double = 0
    ctrllimited   int = 2              : ctrllimited
    ctrlrange     double 2 = 0 0       : ctrlrange
    forcelimited  int = 2              : forcelimited
    forcerange    double 2 = 0 0       : forcerange
    actlimited    int = 2              : actlimited
    actrange      double 2 = 0 0       : actrange
    group         int = 0              : group
    nsample       int = 0              : nsample
    interp        int = 0              : interp
    delay         double = 0           : delay
    plugin        plugin
""" + USER + INFO, *(find(f"actuator/{tag}") for tag in ACTUATOR_KINDS), find("actuator/plugin"))

_SENSORS = find("sensor").children

SENSOR = structure("MjsSensor", "sensor", """
    type       mjtSensor = TOUCH
    objtype    mjtObj
    objname    ref @objtype
    reftype    mjtObj
    refname    ref @reftype
    intprm     int 3 = 0 0 0
    datatype   mjtDataType
    needstage  mjtStage = ACC
    dim        int = 0
    cutoff     double = 0          : cutoff
    noise      double = 0          : noise
    nsample    int = 0             : nsample
    interp     int = 0             : interp
    delay      double = 0          : delay
    interval   double 2 = 0 0      : interval
    plugin     plugin
""" + USER + INFO, *_SENSORS.values())

NUMERIC = structure("MjsNumeric", "numeric", "data doubles : data\nsize int = 0 : size\n" + INFO, find("custom/numeric"))

TEXT = structure("MjsText", "text", "data string : data\n" + INFO, find("custom/text"))

TUPLE = structure("MjsTuple", "tuple", """
    objtype  ints
    objname  refs @objtype
    objprm   doubles
""" + INFO, find("custom/tuple"))

KEY = structure("MjsKey", "key", """
    time   double = 0  : time
    qpos   doubles     : qpos
    qvel   doubles     : qvel
    act    doubles     : act
    mpos   doubles     : mpos
    mquat  doubles     : mquat
    ctrl   doubles     : ctrl
""" + INFO, find("keyframe/key"))

PLUGIN = structure("MjsPlugin", "plugin", """
    plugin_name  string
    active       byte = 0
""" + INFO, find("extension/plugin/instance"))

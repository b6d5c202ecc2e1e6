"""Relations of bodies, joints and geoms; user data of a model."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.mjcf.schema.actuators import KINDS as ACTUATOR_KINDS
from tumble.physics.spec.grammar import structure
from tumble.physics.spec.table.common import INFO, SOLVER, USER

PAIR = structure("MjsPair", "pair", """
    geomname1  ref  : geom1
    geomname2  ref  : geom2
    condim     int  : condim
""" + SOLVER + """
    solreffriction  double  : solreffriction
    margin          double  : margin
    gap             double  : gap
    friction        double  : friction
""" + INFO, find("contact/pair"))

EXCLUDE = structure("MjsExclude", "exclude", """
    bodyname1  ref  : body1
    bodyname2  ref  : body2
""" + INFO, find("contact/exclude"))

EQUALITY = structure("MjsEquality", "equality", """
    type     mjtEq = CONNECT
    data     double 11 = 0 1 0 0 0 0 0 0 0 0 1
    active   byte  : active
    name1    ref @type
    name2    ref @type
    objtype  mjtObj
""" + SOLVER + INFO, *(find(f"equality/{tag}") for tag in ("connect", "weld", "joint", "tendon", "flex", "flexvert")))

TENDON = structure("MjsTendon", "tendon", """
    stiffness        double  : stiffness
    springlength     double  : springlength
    damping          double  : damping
    frictionloss     double  : frictionloss
    solref_friction  double  : solreffriction
    solimp_friction  double  : solimpfriction
    armature         double  : armature
    limited          int     : limited
    actfrclimited    int     : actuatorfrclimited
    range            double  : range
    actfrcrange      double  : actuatorfrcrange
    margin           double  : margin
    solref_limit     double  : solreflimit
    solimp_limit     double  : solimplimit
    material         ref     : material
    width            double  : width
    rgba             float   : rgba
    group            int     : group
""" + USER + INFO, find("tendon/spatial"), find("tendon/fixed"))

WRAP = structure("MjsWrap", "", """
    type      mjtWrap = SITE
    target    ref @type
    sidesite  ref site
    coef      double
    divisor   double
""" + INFO)

ACTUATOR = structure("MjsActuator", "actuator", """
    gaintype      mjtGain  : gaintype
    gainprm       double   : gainprm
    biastype      mjtBias  : biastype
    biasprm       double   : biasprm
    dyntype       mjtDyn   : dyntype
    dynprm        double   : dynprm
    actdim        int      : actdim
    actearly      byte     : actearly
    trntype       mjtTrn = UNDEFINED
    gear          double   : gear
    target        ref @trntype
    refsite       ref      : refsite
    slidersite    ref      : slidersite
    cranklength   double   : cranklength
    lengthrange   double   : lengthrange
    inheritrange  double   : inheritrange
    ctrllimited   int      : ctrllimited
    ctrlrange     double   : ctrlrange
    forcelimited  int      : forcelimited
    forcerange    double   : forcerange
    actlimited    int      : actlimited
    actrange      double   : actrange
    group         int      : group
    nsample       int      : nsample
    interp        int      : interp
    delay         double   : delay
    plugin        plugin
""" + USER + INFO, *(find(f"actuator/{tag}") for tag in ACTUATOR_KINDS), find("actuator/plugin"))

_SENSORS = find("sensor").children

SENSOR = structure("MjsSensor", "sensor", """
    type       mjtSensor = TOUCH
    objtype    mjtObj
    objname    ref @objtype
    reftype    mjtObj
    refname    ref @reftype
    intprm     int 3
    datatype   mjtDataType  : datatype
    needstage  mjtStage     : needstage
    dim        int          : dim
    cutoff     double       : cutoff
    noise      double       : noise
    nsample    int          : nsample
    interp     int          : interp
    delay      double       : delay
    interval   double       : interval
    plugin     plugin
""" + USER + INFO, *_SENSORS.values())

NUMERIC = structure("MjsNumeric", "numeric", "data doubles : data\nsize int : size\n" + INFO, find("custom/numeric"))

TEXT = structure("MjsText", "text", "data string : data\n" + INFO, find("custom/text"))

TUPLE = structure("MjsTuple", "tuple", """
    objtype  ints
    objname  refs @objtype
    objprm   doubles
""" + INFO, find("custom/tuple"))

KEY = structure("MjsKey", "key", """
    time   double   : time
    qpos   doubles  : qpos
    qvel   doubles  : qvel
    act    doubles  : act
    mpos   doubles  : mpos
    mquat  doubles  : mquat
    ctrl   doubles  : ctrl
""" + INFO, find("keyframe/key"))

PLUGIN = structure("MjsPlugin", "plugin", """
    plugin_name  string
    active       byte
""" + INFO, find("extension/plugin/instance"))

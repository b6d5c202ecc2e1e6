"""The table of all structures of a spec: what fields an element has, what they begin with, which attribute of MJCF says them.

Element classes, keywords of `add_*`, copies, reading and writing follow from it; see grammar.py for the language.
Source: MuJoCo documentation, API reference, Types, Attribute structs.
"""

from __future__ import annotations

from physics.mjcf.schema import find
from physics.mjcf.schema.actuators import KINDS as ACTUATOR_KINDS
from physics.spec.grammar import Structure, structure

_POSE = """
    pos    double 3 = 0 0 0    : pos
    quat   double 4 = 1 0 0 0  : quat
    alt    orientation
"""
_SOLVER = """
    solref  double 2 = 0.02 1                 : solref
    solimp  double 5 = 0.9 0.95 0.001 0.5 2   : solimp
"""
_INFO = "info string\n"
_USER = "userdata doubles : user\n"

BODY = structure(
    "MjsBody",
    "body",
    "childclass string : childclass\n"
    + _POSE
    + """
    mass              double = 0
    ipos              double 3 = nan
    iquat             double 4 = 1 0 0 0
    inertia           double 3 = 0 0 0
    ialt              orientation
    fullinertia       double 6 = nan
    mocap             byte = 0               : mocap
    gravcomp          double = 0             : gravcomp
    sleep             mjtSleepPolicy = AUTO  : sleep
    explicitinertial  byte = 0
    plugin            plugin
"""
    + _USER
    + _INFO,
    find("worldbody/body"),
)

FRAME = structure("MjsFrame", "frame", "childclass string : childclass\n" + _POSE + _INFO, find("worldbody/frame"))

JOINT = structure(
    "MjsJoint",
    "joint",
    """
    type             mjtJoint = HINGE                    : type
    pos              double 3 = 0 0 0                    : pos
    axis             double 3 = 0 0 1                    : axis
    ref              double = 0                          : ref
    align            int = 2                             : align
    stiffness        double = 0                          : stiffness
    springref        double = 0                          : springref
    springdamper     double 2 = 0 0                      : springdamper
    limited          int = 2                             : limited
    range            double 2 = 0 0                      : range
    margin           double = 0                          : margin
    solref_limit     double 2 = 0.02 1                   : solreflimit
    solimp_limit     double 5 = 0.9 0.95 0.001 0.5 2     : solimplimit
    actfrclimited    int = 2                             : actuatorfrclimited
    actfrcrange      double 2 = 0 0                      : actuatorfrcrange
    armature         double = 0                          : armature
    damping          double = 0                          : damping
    frictionloss     double = 0                          : frictionloss
    solref_friction  double 2 = 0.02 1                   : solreffriction
    solimp_friction  double 5 = 0.9 0.95 0.001 0.5 2     : solimpfriction
    group            int = 0                             : group
    actgravcomp      byte = 0                            : actuatorgravcomp
"""
    + _USER
    + _INFO,
    find("worldbody/body/joint"),
    find("worldbody/body/freejoint"),
)

GEOM = structure(
    "MjsGeom",
    "geom",
    "type mjtGeom = SPHERE : type\n"
    + _POSE
    + """
    fromto           double 6 = nan                : fromto
    size             double 3 = 0 0 0              : size
    contype          int = 1                       : contype
    conaffinity      int = 1                       : conaffinity
    condim           int = 3                       : condim
    priority         int = 0                       : priority
    friction         double 3 = 1 0.005 0.0001     : friction
    solmix           double = 1                    : solmix
"""
    + _SOLVER
    + """
    margin           double = 0                    : margin
    gap              double = 0                    : gap
    mass             double = nan                  : mass
    density          double = 1000                 : density
    typeinertia      mjtGeomInertia                : shellinertia
    fluid_ellipsoid  double = 0                    : fluidshape
    fluid_coefs      double 5 = 0.5 0.25 1.5 1 1   : fluidcoef
    material         ref material                  : material
    rgba             float 4 = 0.5 0.5 0.5 1       : rgba
    group            int = 0                       : group
    hfieldname       ref hfield                    : hfield
    meshname         ref mesh                      : mesh
    fitscale         double = 1                    : fitscale
    plugin           plugin
"""
    + _USER
    + _INFO,
    find("worldbody/geom"),
)

SITE = structure(
    "MjsSite",
    "site",
    _POSE
    + """
    fromto    double 6 = nan                : fromto
    size      double 3 = 0.005 0.005 0.005  : size
    type      mjtGeom = SPHERE              : type
    material  ref material                  : material
    group     int = 0                       : group
    rgba      float 4 = 0.5 0.5 0.5 1       : rgba
"""
    + _USER
    + _INFO,
    find("worldbody/site"),
)

CAMERA = structure(
    "MjsCamera",
    "camera",
    _POSE
    + """
    mode              mjtCamLight               : mode
    targetbody        ref body                  : target
    proj              mjtProjection             : projection
    resolution        int 2 = 1 1               : resolution
    output            int = 1
    fovy              double = 45               : fovy
    ipd               double = 0.068            : ipd
    intrinsic         float 4 = 0 0 0 0
    sensor_size       float 2 = 0 0             : sensorsize
    focal_length      float 2 = 0 0             : focal
    focal_pixel       float 2 = 0 0             : focalpixel
    principal_length  float 2 = 0 0             : principal
    principal_pixel   float 2 = 0 0             : principalpixel
"""
    + _USER
    + _INFO,
    find("worldbody/camera"),
)

LIGHT = structure(
    "MjsLight",
    "light",
    """
    pos          double 3 = 0 0 0       : pos
    dir          double 3 = 0 0 -1      : dir
    mode         mjtCamLight            : mode
    targetbody   ref body               : target
    active       byte = 1               : active
    type         mjtLightType           : type
    texture      ref texture            : texture
    castshadow   byte = 1               : castshadow
    bulbradius   float = 0.02           : bulbradius
    intensity    float = 0              : intensity
    range        float = 10             : range
    attenuation  float 3 = 1 0 0        : attenuation
    cutoff       float = 45             : cutoff
    exponent     float = 10             : exponent
    ambient      float 3 = 0 0 0        : ambient
    diffuse      float 3 = 0.7 0.7 0.7  : diffuse
    specular     float 3 = 0.3 0.3 0.3  : specular
"""
    + _INFO,
    find("worldbody/light"),
)

FLEX = structure(
    "MjsFlex",
    "flex",
    """
    contype        int = 1                      : contype
    conaffinity    int = 1                      : conaffinity
    condim         int = 3                      : condim
    priority       int = 0                      : priority
    friction       double 3 = 1 0.005 0.0001    : friction
    solmix         double = 1                   : solmix
"""
    + _SOLVER
    + """
    margin         double = 0                   : margin
    gap            double = 0                   : gap
    dim            int = 2                      : dim
    radius         double = 0.005               : radius
    size           double 3 = 0 0 0
    internal       byte = 0                     : internal
    flatskin       byte = 0                     : flatskin
    selfcollide    int = 4                      : selfcollide
    vertcollide    int = 0                      : vertcollide
    passive        int = 0                      : passive
    activelayers   int = 1                      : activelayers
    group          int = 0                      : group
    edgestiffness  double = 0
    edgedamping    double = 0
    rgba           float 4 = 0.5 0.5 0.5 1      : rgba
    material       ref material                 : material
    young          double = 0                   : young
    poisson        double = 0                   : poisson
    damping        double = 0                   : damping
    thickness      double = -1                  : thickness
    elastic2d      int = 0                      : elastic2d
    nodebody       refs body
    vertbody       refs body
    node           doubles
    vert           doubles
    elem           ints
    texcoord       floats
    elemtexcoord   ints
"""
    + _INFO,
    find("deformable/flex"),
)

MESH = structure(
    "MjsMesh",
    "mesh",
    """
    content_type      string                   : content_type
    file              string                   : file
    refpos            double 3 = 0 0 0         : refpos
    refquat           double 4 = 1 0 0 0       : refquat
    scale             double 3 = 1 1 1         : scale
    inertia           mjtMeshInertia = INERTIA_LEGACY  : inertia
    smoothnormal      byte = 0                 : smoothnormal
    needsdf           byte = 0
    maxhullvert       int = -1                 : maxhullvert
    uservert          floats                   : vertex
    usernormal        floats                   : normal
    usertexcoord      floats                   : texcoord
    userface          ints                     : face
    userfacenormal    ints
    userfacetexcoord  ints
    plugin            plugin
    material          ref material             : material
"""
    + _INFO,
    find("asset/mesh"),
)

HFIELD = structure(
    "MjsHField",
    "hfield",
    """
    content_type  string              : content_type
    file          string              : file
    size          double 4 = 0 0 0 0  : size
    nrow          int = 0             : nrow
    ncol          int = 0             : ncol
    userdata      floats
"""
    + _INFO,
    find("asset/hfield"),
)

SKIN = structure(
    "MjsSkin",
    "skin",
    """
    file        string                   : file
    material    ref material             : material
    rgba        float 4 = 0.5 0.5 0.5 1  : rgba
    inflate     float = 0                : inflate
    group       int = 0                  : group
    vert        floats                   : vertex
    texcoord    floats                   : texcoord
    face        ints                     : face
    bodyname    refs body
    bindpos     floats
    bindquat    floats
    vertid      lists
    vertweight  lists
"""
    + _INFO,
    find("deformable/skin"),
)

TEXTURE = structure(
    "MjsTexture",
    "texture",
    """
    type          mjtTexture = CUBE      : type
    colorspace    mjtColorSpace          : colorspace
    builtin       int = 0                : builtin
    mark          int = 0                : mark
    rgb1          double 3 = 0.8 0.8 0.8 : rgb1
    rgb2          double 3 = 0.5 0.5 0.5 : rgb2
    markrgb       double 3 = 0 0 0       : markrgb
    random        double = 0.01          : random
    height        int = 0                : height
    width         int = 0                : width
    nchannel      int = 3                : nchannel
    content_type  string                 : content_type
    file          string                 : file
    gridsize      int 2 = 1 1            : gridsize
    gridlayout    chars 12
    cubefiles     strings 6
    data          bytes
    hflip         byte = 0               : hflip
    vflip         byte = 0               : vflip
"""
    + _INFO,
    find("asset/texture"),
)

MATERIAL = structure(
    "MjsMaterial",
    "material",
    """
    textures     refs texture 10
    texuniform   byte = 0         : texuniform
    texrepeat    float 2 = 1 1    : texrepeat
    emission     float = 0        : emission
    specular     float = 0.5      : specular
    shininess    float = 0.5      : shininess
    reflectance  float = 0        : reflectance
    metallic     float = -1       : metallic
    roughness    float = -1       : roughness
    rgba         float 4 = 1 1 1 1 : rgba
"""
    + _INFO,
    find("asset/material"),
)

PAIR = structure(
    "MjsPair",
    "pair",
    """
    geomname1       ref geom                            : geom1
    geomname2       ref geom                            : geom2
    condim          int = 3                             : condim
"""
    + _SOLVER
    + """
    solreffriction  double 2 = 0 0                      : solreffriction
    margin          double = 0                          : margin
    gap             double = 0                          : gap
    friction        double 5 = 1 1 0.005 0.0001 0.0001  : friction
"""
    + _INFO,
    find("contact/pair"),
)

EXCLUDE = structure(
    "MjsExclude",
    "exclude",
    """
    bodyname1  ref body  : body1
    bodyname2  ref body  : body2
"""
    + _INFO,
    find("contact/exclude"),
)

EQUALITY = structure(
    "MjsEquality",
    "equality",
    """
    type     mjtEq = CONNECT
    data     double 11 = 0 1 0 0 0 0 0 0 0 0 1
    active   byte = 1    : active
    name1    ref @type
    name2    ref @type
    objtype  mjtObj
"""
    + _SOLVER
    + _INFO,
    *(find(f"equality/{tag}") for tag in ("connect", "weld", "joint", "tendon", "flex", "flexvert")),
)

TENDON = structure(
    "MjsTendon",
    "tendon",
    """
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
"""
    + _USER
    + _INFO,
    find("tendon/spatial"),
    find("tendon/fixed"),
)

WRAP = structure("MjsWrap", "", "type mjtWrap = SITE\n" + _INFO)

ACTUATOR = structure(
    "MjsActuator",
    "actuator",
    """
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
"""
    + _USER
    + _INFO,
    *(find(f"actuator/{tag}") for tag in ACTUATOR_KINDS),
    find("actuator/plugin"),
)

_SENSORS = find("sensor").children

SENSOR = structure(
    "MjsSensor",
    "sensor",
    """
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
"""
    + _USER
    + _INFO,
    *_SENSORS.values(),
)

NUMERIC = structure("MjsNumeric", "numeric", "data doubles : data\nsize int = 0 : size\n" + _INFO, find("custom/numeric"))

TEXT = structure("MjsText", "text", "data string : data\n" + _INFO, find("custom/text"))

TUPLE = structure(
    "MjsTuple",
    "tuple",
    """
    objtype  ints
    objname  refs @objtype
    objprm   doubles
"""
    + _INFO,
    find("custom/tuple"),
)

KEY = structure(
    "MjsKey",
    "key",
    """
    time   double = 0  : time
    qpos   doubles     : qpos
    qvel   doubles     : qvel
    act    doubles     : act
    mpos   doubles     : mpos
    mquat  doubles     : mquat
    ctrl   doubles     : ctrl
"""
    + _INFO,
    find("keyframe/key"),
)

PLUGIN = structure(
    "MjsPlugin",
    "plugin",
    """
    plugin_name  string
    active       byte = 0
"""
    + _INFO,
    find("extension/plugin/instance"),
)

ORIENTATION = structure(
    "MjsOrientation",
    "",
    """
    type       mjtOrientation
    axisangle  double 4 = 0 0 0 0
    xyaxes     double 6 = 0 0 0 0 0 0
    zaxis      double 3 = 0 0 0
    euler      double 3 = 0 0 0
""",
)

COMPILER = structure(
    "MjsCompiler",
    "",
    """
    autolimits         byte = 1      : autolimits
    boundmass          double = 0    : boundmass
    boundinertia       double = 0    : boundinertia
    settotalmass       double = -1   : settotalmass
    balanceinertia     byte = 0      : balanceinertia
    fitaabb            byte = 0      : fitaabb
    degree             byte = 1
    eulerseq           chars 3 = xyz
    discardvisual      byte = 0      : discardvisual
    usethread          byte = 1      : usethread
    fusestatic         byte = 0      : fusestatic
    inertiafromgeom    int = 2       : inertiafromgeom
    inertiagrouprange  int 2 = 0 5   : inertiagrouprange
    saveinertial       byte = 0      : saveinertial
    alignfree          int = 0       : alignfree
    meshdir            string        : meshdir
    texturedir         string        : texturedir
""",
    find("compiler"),
)

SPEC = structure(
    "MjSpec",
    "",
    """
    modelname              string = MuJoCo Model
    strippath              byte = 0
    memory                 int = -1  : memory
    nemax                  int = 0
    nuserdata              int = 0   : nuserdata
    nuser_body             int = -1  : nuser_body
    nuser_jnt              int = -1  : nuser_jnt
    nuser_geom             int = -1  : nuser_geom
    nuser_site             int = -1  : nuser_site
    nuser_cam              int = -1  : nuser_cam
    nuser_tendon           int = -1  : nuser_tendon
    nuser_actuator         int = -1  : nuser_actuator
    nuser_sensor           int = -1  : nuser_sensor
    nkey                   int = 0   : nkey
    njmax                  int = -1  : njmax
    nconmax                int = -1  : nconmax
    nstack                 int = -1  : nstack
    comment                string
    modelfiledir           string
    hasImplicitPluginElem  byte = 0
""",
    find("size"),
)

# What a default class holds, by the field of MjsDefault and the tag that says it in a file.
DEFAULTS: dict[str, Structure] = {
    "joint": JOINT, "geom": GEOM, "site": SITE, "camera": CAMERA, "light": LIGHT, "flex": FLEX, "mesh": MESH,
    "material": MATERIAL, "pair": PAIR, "equality": EQUALITY, "tendon": TENDON, "actuator": ACTUATOR,
}  # fmt: skip

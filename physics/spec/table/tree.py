"""The kinematic tree: bodies, frames, and what they hold."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.spec.grammar import structure
from tumble.physics.spec.table.common import INFO, POSE, SOLVER, USER

BODY = structure("MjsBody", "body", "childclass string : childclass\n" + POSE + """
    mass              double
    ipos              double 3 = nan
    iquat             double 4 = 1 0 0 0
    inertia           double 3
    ialt              orientation
    fullinertia       double 6 = nan
    mocap             byte            : mocap
    gravcomp          double          : gravcomp
    sleep             mjtSleepPolicy  : sleep
    explicitinertial  byte
    plugin            plugin
""" + USER + INFO, find("worldbody/body"))

FRAME = structure("MjsFrame", "frame", "childclass string : childclass\n" + POSE + INFO, find("worldbody/frame"))

JOINT = structure("MjsJoint", "joint", """
    type             mjtJoint  : type
    pos              double    : pos
    axis             double    : axis
    ref              double    : ref
    align            int       : align
    stiffness        double    : stiffness
    springref        double    : springref
    springdamper     double    : springdamper
    limited          int       : limited
    range            double    : range
    margin           double    : margin
    solref_limit     double    : solreflimit
    solimp_limit     double    : solimplimit
    actfrclimited    int       : actuatorfrclimited
    actfrcrange      double    : actuatorfrcrange
    armature         double    : armature
    damping          double    : damping
    frictionloss     double    : frictionloss
    solref_friction  double    : solreffriction
    solimp_friction  double    : solimpfriction
    group            int       : group
    actgravcomp      byte      : actuatorgravcomp
""" + USER + INFO, find("worldbody/body/joint"), find("worldbody/body/freejoint"))

GEOM = structure("MjsGeom", "geom", "type mjtGeom : type\n" + POSE + """
    fromto       double = nan  : fromto
    size         double        : size
    contype      int           : contype
    conaffinity  int           : conaffinity
    condim       int           : condim
    priority     int           : priority
    friction     double        : friction
    solmix       double        : solmix
""" + SOLVER + """
    margin           double          : margin
    gap              double          : gap
    mass             double = nan    : mass
    density          double          : density
    typeinertia      mjtGeomInertia  : shellinertia
    fluid_ellipsoid  double          : fluidshape
    fluid_coefs      double          : fluidcoef
    material         ref             : material
    rgba             float           : rgba
    group            int             : group
    hfieldname       ref             : hfield
    meshname         ref             : mesh
    fitscale         double          : fitscale
    plugin           plugin
""" + USER + INFO, find("worldbody/geom"))

SITE = structure("MjsSite", "site", POSE + """
    fromto    double = nan  : fromto
    size      double        : size
    type      mjtGeom       : type
    material  ref           : material
    group     int           : group
    rgba      float         : rgba
""" + USER + INFO, find("worldbody/site"))

CAMERA = structure("MjsCamera", "camera", POSE + """
    mode              mjtCamLight    : mode
    targetbody        ref            : target
    proj              mjtProjection  : projection
    resolution        int            : resolution
    output            int            : output
    fovy              double         : fovy
    ipd               double         : ipd
    intrinsic         float 4
    sensor_size       float          : sensorsize
    focal_length      float          : focal
    focal_pixel       float          : focalpixel
    principal_length  float          : principal
    principal_pixel   float          : principalpixel
""" + USER + INFO, find("worldbody/camera"))

LIGHT = structure("MjsLight", "light", """
    pos          double        : pos
    dir          double        : dir
    mode         mjtCamLight   : mode
    targetbody   ref           : target
    active       byte          : active
    type         mjtLightType  : type
    texture      ref           : texture
    castshadow   byte          : castshadow
    bulbradius   float         : bulbradius
    intensity    float         : intensity
    range        float         : range
    attenuation  float         : attenuation
    cutoff       float         : cutoff
    exponent     float         : exponent
    ambient      float         : ambient
    diffuse      float         : diffuse
    specular     float         : specular
""" + INFO, find("worldbody/light"))

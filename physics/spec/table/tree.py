"""The kinematic tree: bodies, frames, and what they hold."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.spec.grammar import structure
from tumble.physics.spec.table.common import INFO, POSE, SOLVER, USER

BODY = structure("MjsBody", "body", "childclass string : childclass\n" + POSE + """
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
""" + USER + INFO, find("worldbody/body"))

FRAME = structure("MjsFrame", "frame", "childclass string : childclass\n" + POSE + INFO, find("worldbody/frame"))

JOINT = structure("MjsJoint", "joint", """
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
""" + USER + INFO, find("worldbody/body/joint"), find("worldbody/body/freejoint"))

GEOM = structure("MjsGeom", "geom", "type mjtGeom = SPHERE : type\n" + POSE + """
    fromto           double 6 = nan                : fromto
    size             double 3 = 0 0 0              : size
    contype          int = 1                       : contype
    conaffinity      int = 1                       : conaffinity
    condim           int = 3                       : condim
    priority         int = 0                       : priority
    friction         double 3 = 1 0.005 0.0001     : friction
    solmix           double = 1                    : solmix
""" + SOLVER + """
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
""" + USER + INFO, find("worldbody/geom"))

SITE = structure("MjsSite", "site", POSE + """
    fromto    double 6 = nan                : fromto
    size      double 3 = 0.005 0.005 0.005  : size
    type      mjtGeom = SPHERE              : type
    material  ref material                  : material
    group     int = 0                       : group
    rgba      float 4 = 0.5 0.5 0.5 1       : rgba
""" + USER + INFO, find("worldbody/site"))

CAMERA = structure("MjsCamera", "camera", POSE + """
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
""" + USER + INFO, find("worldbody/camera"))

LIGHT = structure("MjsLight", "light", """
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
""" + INFO, find("worldbody/light"))

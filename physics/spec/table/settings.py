"""Settings, and structures inside others."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.spec.grammar import structure

ORIENTATION = structure("MjsOrientation", "", """
    type       mjtOrientation
    axisangle  double 4 = 0 0 0 0
    xyaxes     double 6 = 0 0 0 0 0 0
    zaxis      double 3 = 0 0 0
    euler      double 3 = 0 0 0
""")

COMPILER = structure("MjsCompiler", "", """
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
""", find("compiler"))

SPEC = structure("MjSpec", "", """
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
""", find("size"))

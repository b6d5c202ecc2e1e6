"""Settings, and structures inside others."""

from __future__ import annotations

from tumble.physics.mjcf.schema import find
from tumble.physics.spec.grammar import structure

ORIENTATION = structure("MjsOrientation", "", """
    type       mjtOrientation
    axisangle  double  : axisangle
    xyaxes     double  : xyaxes
    zaxis      double  : zaxis
    euler      double  : euler
""", find("worldbody/body"))

COMPILER = structure("MjsCompiler", "", """
    autolimits         byte    : autolimits
    boundmass          double  : boundmass
    boundinertia       double  : boundinertia
    settotalmass       double  : settotalmass
    balanceinertia     byte    : balanceinertia
    fitaabb            byte    : fitaabb
    degree             byte = 1
    eulerseq           chars 3 = xyz
    discardvisual      byte    : discardvisual
    usethread          byte    : usethread
    fusestatic         byte    : fusestatic
    inertiafromgeom    int     : inertiafromgeom
    inertiagrouprange  int     : inertiagrouprange
    saveinertial       byte    : saveinertial
    alignfree          int     : alignfree
    meshdir            string  : meshdir
    texturedir         string  : texturedir
""", find("compiler"))

SPEC = structure("MjSpec", "", """
    modelname              string = MuJoCo Model
    strippath              byte
    memory                 int  : memory
    nemax                  int
    nuserdata              int  : nuserdata
    nuser_body             int  : nuser_body
    nuser_jnt              int  : nuser_jnt
    nuser_geom             int  : nuser_geom
    nuser_site             int  : nuser_site
    nuser_cam              int  : nuser_cam
    nuser_tendon           int  : nuser_tendon
    nuser_actuator         int  : nuser_actuator
    nuser_sensor           int  : nuser_sensor
    nkey                   int  : nkey
    njmax                  int  : njmax
    nconmax                int  : nconmax
    nstack                 int  : nstack
    comment                string
    modelfiledir           string
    hasImplicitPluginElem  byte
""", find("size"))

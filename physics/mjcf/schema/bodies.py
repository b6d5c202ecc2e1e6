"""MJCF 3.5.0, the kinematic tree: worldbody, body, frame and all that they hold."""

from __future__ import annotations

from tumble.physics.mjcf.schema.assets import FLEX_CONTACT, FLEX_ELASTICITY
from tumble.physics.mjcf.schema.grammar import ORIENTATIONS, ElementRule, only, rule
from tumble.physics.mjcf.schema.settings import plugin

ALTERNATIVES = """
    axisangle  real 4
    xyaxes     real 6
    zaxis,euler  real 3
"""
QUAT = "quat  real 4 = 1 0 0 0\n" + ALTERNATIVES
POSE = "pos  real 3 = 0 0 0\n" + QUAT
NAMED = """
    name   name
    class  class
"""
SHAPES = "plane|hfield|sphere|capsule|ellipsoid|cylinder|box|mesh|sdf"
TRACKING = "fixed|track|trackcom|targetbody|targetbodycom"
JOINT_TYPES = "free|ball|slide|hinge"

JOINT_DEFAULTS = """
    type                keys free|ball|slide|hinge = hinge
    group               int = 0
    pos                 real 3 = 0 0 0
    axis                real 3 = 0 0 1
    springdamper        real 2 = 0 0
    limited,actuatorfrclimited  keys false|true|auto = auto
    actuatorgravcomp    bool = false
    solreflimit         real 1..2 = 0.02 1
    solimplimit         real 1..5 = 0.9 0.95 0.001 0.5 2
    solreffriction      real 1..2 = 0.02 1
    solimpfriction      real 1..5 = 0.9 0.95 0.001 0.5 2
    stiffness           real = 0
    range,actuatorfrcrange  real 2 = 0 0
    margin,ref,springref,armature,damping,frictionloss  real = 0
    user                real 1..*
"""

GEOM_DEFAULTS = f"""
    type          keys {SHAPES} = sphere
    size          real 1..3 = 0 0 0
    material      ref material
    rgba          real 4 = 0.5 0.5 0.5 1
    friction      real 1..3 = 1 0.005 0.0001
    mass          real
    density       real = 1000
    shellinertia  bool = false
    solmix        real = 1
    solref        real 1..2 = 0.02 1
    solimp        real 1..5 = 0.9 0.95 0.001 0.5 2
    margin,gap  real = 0
    fromto        real 6
    contype,conaffinity  int = 1
    condim        int = 3
    group,priority  int = 0
    hfield        ref hfield
    mesh          ref mesh
    fitscale      real = 1
    fluidshape    keys none|ellipsoid = none
    fluidcoef     real 1..5 = 0.5 0.25 1.5 1 1
    user          real 1..*
""" + POSE

SITE_DEFAULTS = f"""
    type      keys {SHAPES} = sphere
    group     int = 0
    material  ref material
    rgba      real 4 = 0.5 0.5 0.5 1
    size      real 1..3 = 0.005 0.005 0.005
    fromto    real 6
    user      real 1..*
""" + POSE

CAMERA_DEFAULTS = f"""
    projection      keys perspective|orthographic = perspective
    mode            keys {TRACKING} = fixed
    fovy            real = 45
    ipd             real = 0.068 -- partly: only the cameras of a script's MjvScene have it; no picture is stereo
    resolution      int 2 = 1 1
    output          set rgb|depth|distance|normal|segmentation = rgb -- ignored: stored, for scripts
    focal,focalpixel,principal,principalpixel,sensorsize  real 2 = 0 0
    user            real 1..*
""" + POSE

# `directional` is the older form of `type`: true is a directional light, false a spot.
LIGHT_DEFAULTS = f"""
    mode         keys {TRACKING} = fixed
    type         keys spot|directional|point|image = spot -- partly image: it lights nothing
    directional  bool
    castshadow,active  bool = true
    pos          real 3 = 0 0 0
    dir          real 3 = 0 0 -1
    bulbradius   real = 0.02
    intensity    real = 0 -- ignored: stored; the reference's own renderer does without it too
    range        real = 10 -- ignored: stored; the reference's own renderer does without it too
    attenuation  real 3 = 1 0 0
    cutoff       real = 45
    exponent     real = 10
    ambient      real 3 = 0 0 0
    diffuse      real 3 = 0.7 0.7 0.7
    specular     real 3 = 0.3 0.3 0.3
"""
LIGHT_IMAGE = "texture ref texture -- ignored: stored; an image light lights nothing, as in the reference's own renderer\n"
LIGHT_TYPE = (("type", "directional"),)
CAMERA_LENS = (("fovy", "sensorsize"),)


def _inertial() -> ElementRule:
    return rule("inertial", "?", """
        pos          real 3 !
        mass         real !
        diaginertia  real 3
        fullinertia  real 6
    """ + QUAT, exclusive=tuple(("fullinertia", form) for form in ORIENTATIONS))


_LIMITS = only(JOINT_DEFAULTS, "range margin solreflimit solimplimit frictionloss solreffriction solimpfriction")


def _composite() -> ElementRule:
    return rule("composite", "*", """
        prefix   string
        type     keys particle|grid|rope|loop|cable|cloth ! -- refused particle|grid|rope|loop|cloth: not valid in MuJoCo either
        count    int 1..3 = 1 1 1
        offset   real 3 = 0 0 0
        vertex   real 1..*
        initial  string = 0
        curve    words s|cos(s)|sin(s)|0
        size     real 1..3 = 1 0 0
        quat     real 4 = 1 0 0 0
    """, [
        rule("joint", "*", f"""
            kind            keys main !
            group           int = 3
            stiffness,damping,armature  real = 0
            solreffix       real 1..2 = 0.02 1 -- ignored: for kinds of composites that are no longer valid
            solimpfix       real 1..5 = 0.9 0.95 0.001 0.5 2 -- ignored: for kinds of composites that are no longer valid
            type            keys {JOINT_TYPES} = hinge -- ignored: the joints of a cable are balls, as in the reference
            axis            real 3 = 0 0 1 -- ignored: the joints of a cable are balls
            limited         keys false|true|auto = auto -- ignored: a range limits the joints of a cable, as in the reference
            {_LIMITS}
        """),
        rule("skin", "?", """
            texcoord  bool = false
            material  ref material
            group     int = 0
            rgba      real 4 = 1 1 1 1
            inflate   real = 0 -- ignored: it follows from the size of the geom, as in the reference
            subgrid   int = 0 -- partly: the skin of a cable is not made finer
        """),
        rule("geom", "?", only(GEOM_DEFAULTS, "type size contype conaffinity condim group priority friction mass density "
                               "solmix solref solimp margin gap material rgba")),
        rule("site", "?", """
            group     int = 3
            size      real 1..3 = 0.005 0.005 0.005
            material  ref material
            rgba      real 4 = 0.5 0.5 0.5 1
        """),
        plugin(),
    ])


def _flexcomp() -> ElementRule:
    return rule("flexcomp", "*", """
        name        name !
        type        keys grid|box|cylinder|ellipsoid|square|disc|circle|mesh|gmsh|direct = grid
        group       int = 0
        dim         int = 2
        dof         keys full|radial|trilinear|quadratic = full
        count       int 3 = 10 10 10
        spacing     real 3 = 0.02 0.02 0.02
        radius      real = 0.005
        rigid       bool = false
        mass        real = 1
        inertiabox  real = 0.005
        scale       real 3 = 1 1 1
        file        file
        point       real 1..*
        element     int 1..*
        texcoord    real 1..*
        material    ref material
        rgba        real 4 = 0.5 0.5 0.5 1
        flatskin    bool = false
        origin      real 3 = 0 0 0
    """ + POSE, [
        rule("edge", "?", """
            equality   keys true|false|vert = false
            solref     real 1..2 = 0.02 1
            solimp     real 1..5 = 0.9 0.95 0.001 0.5 2
            stiffness,damping  real = 0
        """),
        rule("elasticity", "?", FLEX_ELASTICITY),
        rule("contact", "?", FLEX_CONTACT),
        rule("pin", "*", """
            id,range,grid,gridrange  int 1..*
        """),
        plugin("refused: MuJoCo has no plugins for flexes any more; <elasticity> is what they were"),
    ], names="flex")


def _leaves() -> list[ElementRule]:
    """Common children of worldbody, body, frame and replicate."""
    return [
        rule("geom", "*", NAMED + GEOM_DEFAULTS, [plugin()], names="geom", defaults="geom"),
        rule("attach", "*", """
            model   ref model !
            body    string
            prefix  string !
        """),
        rule("site", "*", NAMED + SITE_DEFAULTS, names="site", defaults="site"),
        rule("camera", "*", NAMED + "target ref body\n" + CAMERA_DEFAULTS, names="camera", defaults="camera",
             exclusive=CAMERA_LENS),
        rule("light", "*", NAMED + "target ref body\n" + LIGHT_IMAGE + LIGHT_DEFAULTS, names="light",
             defaults="light", exclusive=LIGHT_TYPE, displaces=LIGHT_TYPE),
        plugin(),
        _composite(),
        _flexcomp(),
    ]


def _joints() -> list[ElementRule]:
    return [
        rule("joint", "*", NAMED + JOINT_DEFAULTS, names="joint", defaults="joint"),
        rule("freejoint", "*", """
            name   name
            group  int = 0
            align  keys false|true|auto = auto
        """, names="joint"),
    ]


def _frame() -> ElementRule:
    return rule("frame", "R", """
        name        name
        childclass  class
    """ + POSE, names="frame")


def _replicate() -> ElementRule:
    return rule("replicate", "R", """
        childclass  class
        count       int !
        prefix      string -- ignored: replicas are told apart by the number behind their names, as in the reference
        sep         string
        offset,euler  real 3 = 0 0 0
    """)


def _worldbody() -> ElementRule:
    """The whole tree. Frames and replicas in the world hold no joints and no inertia, those in a body do: two rules of each."""
    leaves, joints = _leaves(), _joints()
    body = rule("body", "R", """
        name        name
        childclass  class
        mocap       bool = false
        gravcomp    real = 0
        sleep       keys auto|never|allowed|init = auto
        user        real 1..*
    """ + POSE, names="body")
    world = rule("worldbody", "*")
    for parent, extra in ((world, []), (body, [*joints, _inertial()])):
        frame, replicate = _frame(), _replicate()
        held = {r.tag: r for r in [*leaves, *extra, body, frame, replicate]}
        for holder in (parent, frame, replicate):
            holder.children.update(held)
    return world


WORLDBODY = _worldbody()

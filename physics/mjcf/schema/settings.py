"""MJCF 3.5.0, sections that set up a model: compiler, option, size, visual, statistic, extension, custom, keyframe."""

from __future__ import annotations

from tumble.physics.mjcf.schema.grammar import ElementRule, rule

COMPILER = rule("compiler", "*", """
    autolimits         bool = true
    boundmass,boundinertia  real = 0
    settotalmass       real = -1
    balanceinertia,strippath  bool = false
    coordinate         keys local|global = local
    angle              keys radian|degree = degree
    fitaabb            bool = false
    eulerseq           pattern [xyzXYZ]{3} = xyz
    meshdir,texturedir,assetdir  string
    discardvisual      bool = false
    usethread          bool = true -- ignored: meshes are processed on all cores, with the same result as on one
    fusestatic         bool = false
    inertiafromgeom    keys false|true|auto = auto
    inertiagrouprange  int 2 = 0 5
    saveinertial       bool = false -- ignored: it says what the reference writes into a file that it saves
    alignfree          bool = false
""", [rule("lengthrange", "?", """
    mode         keys none|muscle|muscleuser|all = muscle
    useexisting  bool = true
    uselimit     bool = false
    accel        real = 20
    maxforce     real = 0
    timeconst    real = 1
    timestep     real = 0.01
    inttotal     real = 10
    interval     real = 2
    tolrange     real = 0.05
""")])

OPTION = rule("option", "*", """
    timestep              real = 0.002
    impratio              real = 1
    tolerance             real = 1e-8
    ls_tolerance          real = 0.01
    noslip_tolerance,ccd_tolerance  real = 1e-6
    sleep_tolerance       real = 1e-4
    gravity               real 3 = 0 0 -9.81
    wind                  real 3 = 0 0 0
    magnetic              real 3 = 0 -0.5 0
    density,viscosity,o_margin  real = 0
    o_solref              real 1..2 = 0.02 1
    o_solimp              real 1..5 = 0.9 0.95 0.001 0.5 2
    o_friction            real 1..5 = 1 1 0.005 0.0001 0.0001
    integrator            keys Euler|RK4|implicit|implicitfast = Euler
    cone                  keys pyramidal|elliptic = pyramidal
    jacobian              keys dense|sparse|auto = auto
    solver                keys PGS|CG|Newton = Newton
    iterations            int = 100
    ls_iterations         int = 50
    noslip_iterations     int = 0
    ccd_iterations        int = 35
    sdf_iterations        int = 10
    sdf_initpoints        int = 40
    actuatorgroupdisable  int 1..*
""", [rule("flag", "?", """
    constraint,equality,frictionloss,limit,contact,spring,damper,gravity,clampctrl  keys disable|enable = enable
    warmstart,filterparent,actuation,refsafe,sensor,midphase,eulerdamp,autoreset    keys disable|enable = enable
    island,nativeccd  keys disable|enable = enable
    override,energy,fwdinv,invdiscrete,sleep,multiccd                               keys disable|enable = disable
""")])

SIZE = rule("size", "*", """
    memory         bytes = -1 -- ignored: stored, for scripts; memory grows as it is needed
    njmax,nconmax  int = -1 -- ignored: stored, for scripts; memory grows as it is needed
    nstack         int = -1 -- ignored: memory grows as it is needed
    nuserdata,nkey        int = 0
    nuser_body,nuser_jnt,nuser_geom,nuser_site,nuser_cam,nuser_tendon,nuser_actuator,nuser_sensor  int = -1
""", exclusive=(("memory", "njmax"), ("memory", "nconmax"), ("memory", "nstack")))

VISUAL = rule("visual", "*", "", [
    rule("global", "?", """
        cameraid          int = -1
        orthographic      bool = false
        fovy              real = 45
        ipd               real = 0.068 -- partly: only the cameras of a script's MjvScene have it; no picture is stereo
        azimuth           real = 90
        elevation         real = -45
        linewidth         real = 1 -- ignored: stored, for scripts; edges are as wide as the screen asks for
        glow              real = 0.3
        realtime          real = 1 -- ignored: stored; the toolbar sets the speed
        offwidth          int = 640 -- partly: only a script's pictures are limited by it
        offheight         int = 480 -- partly: only a script's pictures are limited by it
        ellipsoidinertia  bool = false
        bvactive          bool = true -- ignored: stored; collisions do not go through these volumes, so none counts as tested
    """),
    rule("quality", "?", """
        shadowsize  int = 4096
        offsamples  int = 4 -- partly: only a script's pictures have it; the window has its quality setting
        numslices   int = 28
        numstacks   int = 16
        numquads    int = 4 -- ignored: stored; a box is drawn with one rectangle a side
    """),
    rule("headlight", "?", """
        ambient   real 3 = 0.1 0.1 0.1
        diffuse   real 3 = 0.4 0.4 0.4
        specular  real 3 = 0.5 0.5 0.5
        active    int = 1
    """),
    rule("map", "?", """
        stiffness       real = 100
        stiffnessrot    real = 500
        force           real = 0.005
        torque          real = 0.1 -- ignored: stored; torques are drawn with the scale of forces
        alpha           real = 0.3
        fogstart        real = 3
        fogend          real = 10
        znear           real = 0.01
        zfar            real = 50
        haze            real = 0.3
        shadowclip      real = 1
        shadowscale     real = 0.6 -- ignored: stored, for scripts; a spot casts shadows in its whole cone
        actuatortendon  real = 2
    """),
    rule("scale", "?", """
        forcewidth,contactheight,jointwidth,framewidth,constraint  real = 0.1
        actuatorwidth,selectpoint,connect,slidercrank  real = 0.2
        contactwidth,camera,light                                      real = 0.3
        com             real = 0.4
        actuatorlength  real = 0.7
        jointlength,framelength  real = 1
        frustum         real = 10
    """),
    rule("rgba", "?", """
        fog               real 4 = 0 0 0 1
        haze              real 4 = 1 1 1 1
        force             real 4 = 1 0.5 0.5 1
        inertia           real 4 = 0.8 0.2 0.2 0.6
        joint             real 4 = 0.2 0.6 0.8 1
        actuator          real 4 = 0.2 0.25 0.2 1
        actuatornegative  real 4 = 0.2 0.6 0.9 1
        actuatorpositive  real 4 = 0.9 0.4 0.2 1
        com               real 4 = 0.9 0.9 0.9 1
        camera            real 4 = 0.6 0.9 0.6 1
        light             real 4 = 0.6 0.6 0.9 1
        selectpoint       real 4 = 0.9 0.9 0.1 1
        connect           real 4 = 0.2 0.2 0.8 1
        contactpoint      real 4 = 0.9 0.6 0.2 1
        contactforce      real 4 = 0.7 0.9 0.9 1
        contactfriction   real 4 = 0.9 0.8 0.4 1
        contacttorque     real 4 = 0.9 0.7 0.9 1 -- ignored: stored; torques of contacts are not drawn
        contactgap        real 4 = 0.5 0.8 0.9 1
        rangefinder       real 4 = 1 1 0.1 1
        constraint        real 4 = 0.9 0 0 1
        slidercrank       real 4 = 0.5 0.3 0.8 1
        crankbroken       real 4 = 0.9 0 0 1
        frustum           real 4 = 1 1 0 0.2
        bv                real 4 = 0 1 0 0.5
        bvactive          real 4 = 1 0 0 0.5 -- ignored: stored; no volume counts as tested
    """),
])

# No defaults: the compiler computes what is not written.
STATISTIC = rule("statistic", "*", """
    meaninertia,meanmass,meansize,extent  real
    center                                real 3
""")


def config() -> ElementRule:
    """A plugin's <config>."""
    return rule("config", "*", """
        key,value  string !
    """)


def plugin(status: str = "") -> ElementRule:
    """A <plugin> inside the element that it acts on."""
    return rule("plugin", "*", """
        plugin    string
        instance  ref plugin
    """, [config()], status=status)


EXTENSION = rule("extension", "*", "", [
    rule("plugin", "*", "plugin string !", [rule("instance", "*", "name name", [config()], names="plugin")],
         status="partly: MuJoCo's own plugins and signed distance functions of users; what uses another is refused"),
])

OBJECTS = ("body|xbody|joint|dof|geom|site|camera|light|flex|mesh|skin|hfield|texture|material|pair|exclude|equality|"
           "tendon|actuator|sensor|numeric|text|tuple|key|plugin")

CUSTOM = rule("custom", "*", "", [
    rule("numeric", "*", """
        name  name !
        size  int
        data  real 1..*
    """, names="numeric"),
    rule("text", "*", """
        name  name !
        data  string !
    """, names="text"),
    rule("tuple", "*", "name name !", [rule("element", "*", f"""
        objtype  keys {OBJECTS} !
        objname  ref @objtype !
        prm      real = 0
    """)], names="tuple"),
])

KEYFRAME = rule("keyframe", "*", "", [rule("key", "*", """
    name  name
    time  real = 0
    qpos,qvel,act,mpos,mquat,ctrl  real 1..*
""", names="key")])

"""Fields under short names. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real
from tumble.physics.state.structs.group import Group
from tumble.physics.state.structs.results import MjContact, MjSolverStat, MjTimerStat, MjWarningStat
from tumble.physics.state.structs.rows import Row, Rows

class Option(Group):
    """`m.opt`."""

    timestep: Real
    """time that one step takes [s]"""
    impratio: Real
    """impedance of friction relative to the normal direction in elliptic cones [1]"""
    tolerance: Real
    """the solver stops when it improves by less [1]"""
    ls_tolerance: Real
    """the line search stops when the slope has fallen to this part [1]"""
    noslip_tolerance: Real
    """the no-slip pass stops when it improves by less [1]"""
    ccd_tolerance: Real
    """precision of convex collision [m]"""
    sleep_tolerance: Real
    """trees slower than this may fall asleep [m/s]"""
    density: Real
    """density of the medium [kg/m^3]"""
    viscosity: Real
    """viscosity of the medium [Pa s]"""
    o_margin: Real
    """margin of all contacts where the override flag is set [m]"""
    integrator: Integer
    """how a step is integrated (mjtIntegrator) [1]"""
    cone: Integer
    """shape of friction cones (mjtCone) [1]"""
    jacobian: Integer
    """dense or sparse constraint Jacobian (mjtJacobian) [1]"""
    solver: Integer
    """constraint solver (mjtSolver) [1]"""
    iterations: Integer
    """most solver iterations [1]"""
    ls_iterations: Integer
    """most line search iterations [1]"""
    noslip_iterations: Integer
    """most iterations of the no-slip pass [1]"""
    ccd_iterations: Integer
    """most iterations of convex collision [1]"""
    disableflags: Integer
    """what is switched off: bits (mjtDisableBit) [1]"""
    enableflags: Integer
    """what is switched on: bits (mjtEnableBit) [1]"""
    disableactuator: Integer
    """groups of actuators that are off: bits [1]"""
    sdf_initpoints: Integer
    """starting points in collision of signed distance fields [1]"""
    sdf_iterations: Integer
    """most iterations in collision of signed distance fields [1]"""
    gravity: Array[np.float64]
    """gravity [m/s^2], shape (3,)"""
    wind: Array[np.float64]
    """velocity of the medium [m/s], shape (3,)"""
    magnetic: Array[np.float64]
    """magnetic field [T], shape (3,)"""
    o_solref: Array[np.float64]
    """response of all contacts where the override flag is set [s, 1], shape (2,)"""
    o_solimp: Array[np.float64]
    """impedance of all contacts where the override flag is set [1, 1, m, 1, 1], shape (5,)"""
    o_friction: Array[np.float64]
    """friction of all contacts where the override flag is set [1, 1, m, m, m], shape (5,)"""

class Statistic(Group):
    """`m.stat`."""

    meaninertia: Real
    """mean of the inertia matrix's diagonal at qpos0 [kg or kg m^2]"""
    meanmass: Real
    """mean mass of a body [kg]"""
    meansize: Real
    """mean size of a body [m]"""
    extent: Real
    """size of the model [m]"""
    center: Array[np.float64]
    """centre of the model [m], shape (3,)"""

class VisualGlobal(Group):
    """`m.vis.global_`."""

    cameraid: Integer
    """camera to start with; -1: free [1]"""
    orthographic: Integer
    """whether the free camera is orthographic [1]"""
    fovy: Real
    """field of view of the free camera [degree or m]"""
    ipd: Real
    """distance of the free camera's eyes [m]"""
    azimuth: Real
    """azimuth the free camera starts with [degree]"""
    elevation: Real
    """elevation the free camera starts with [degree]"""
    linewidth: Real
    """width of lines, in pixels [1]"""
    glow: Real
    """how much a selected body glows [1]"""
    realtime: Real
    """simulated time over real time to start with [1]"""
    offwidth: Integer
    """width of the offscreen image, in pixels [1]"""
    offheight: Integer
    """height of the offscreen image, in pixels [1]"""
    ellipsoidinertia: Integer
    """whether inertia is drawn as ellipsoids rather than boxes [1]"""
    bvactive: Integer
    """whether only bounding volumes that were tested are drawn [1]"""

class VisualQuality(Group):
    """`m.vis.quality`."""

    shadowsize: Integer
    """side of the shadow map, in texels [1]"""
    offsamples: Integer
    """samples of a pixel offscreen [1]"""
    numslices: Integer
    """slices around built-in shapes [1]"""
    numstacks: Integer
    """stacks along built-in shapes [1]"""
    numquads: Integer
    """squares along a plane [1]"""

class VisualHeadlight(Group):
    """`m.vis.headlight`."""

    ambient: Array[np.float32]
    """ambient colour of the light at the camera [1], shape (3,)"""
    diffuse: Array[np.float32]
    """diffuse colour of the light at the camera [1], shape (3,)"""
    specular: Array[np.float32]
    """specular colour of the light at the camera [1], shape (3,)"""
    active: Integer
    """whether the light at the camera is on [1]"""

class VisualMap(Group):
    """`m.vis.map`."""

    stiffness: Real
    """spring of the mouse, for pulling [N/m]"""
    stiffnessrot: Real
    """spring of the mouse, for turning [N m/rad]"""
    force: Real
    """length a unit force is drawn with [m/N]"""
    torque: Real
    """length a unit torque is drawn with [m/(N m)]"""
    alpha: Real
    """opacity of what is made transparent [1]"""
    fogstart: Real
    """distance where fog begins, in extents [1]"""
    fogend: Real
    """distance where fog is full, in extents [1]"""
    znear: Real
    """near clipping distance, in extents [1]"""
    zfar: Real
    """far clipping distance, in extents [1]"""
    haze: Real
    """height of the haze at the horizon [1]"""
    shadowclip: Real
    """half size a directional light's shadow covers, in extents [1]"""
    shadowscale: Real
    """part of a spot's opening its shadow covers [1]"""
    actuatortendon: Real
    """width of a tendon that shows its actuator, in its own width [1]"""

class VisualScale(Group):
    """`m.vis.scale`."""

    forcewidth: Real
    """width of force arrows, in mean sizes [1]"""
    contactwidth: Real
    """radius of a contact's disc, in mean sizes [1]"""
    contactheight: Real
    """height of a contact's disc, in mean sizes [1]"""
    connect: Real
    """width of the lines that connect bodies, in mean sizes [1]"""
    com: Real
    """radius of a centre of mass, in mean sizes [1]"""
    camera: Real
    """size of a camera, in mean sizes [1]"""
    light: Real
    """size of a light, in mean sizes [1]"""
    selectpoint: Real
    """radius of the selected point, in mean sizes [1]"""
    jointlength: Real
    """length of a joint, in mean sizes [1]"""
    jointwidth: Real
    """width of a joint, in mean sizes [1]"""
    actuatorlength: Real
    """length of an actuator, in mean sizes [1]"""
    actuatorwidth: Real
    """width of an actuator, in mean sizes [1]"""
    framelength: Real
    """length of a frame's axes, in mean sizes [1]"""
    framewidth: Real
    """width of a frame's axes, in mean sizes [1]"""
    constraint: Real
    """width of a violated constraint, in mean sizes [1]"""
    slidercrank: Real
    """width of a slider-crank, in mean sizes [1]"""
    frustum: Real
    """depth a camera's field of view is drawn to [m]"""

class VisualRgba(Group):
    """`m.vis.rgba`."""

    fog: Array[np.float32]
    """colour of fog [1], shape (4,)"""
    haze: Array[np.float32]
    """colour of haze [1], shape (4,)"""
    force: Array[np.float32]
    """colour of applied forces [1], shape (4,)"""
    inertia: Array[np.float32]
    """colour of inertia [1], shape (4,)"""
    joint: Array[np.float32]
    """colour of joints [1], shape (4,)"""
    actuator: Array[np.float32]
    """colour of an idle actuator [1], shape (4,)"""
    actuatornegative: Array[np.float32]
    """colour of an actuator at its lower limit [1], shape (4,)"""
    actuatorpositive: Array[np.float32]
    """colour of an actuator at its upper limit [1], shape (4,)"""
    com: Array[np.float32]
    """colour of centres of mass [1], shape (4,)"""
    camera: Array[np.float32]
    """colour of cameras [1], shape (4,)"""
    light: Array[np.float32]
    """colour of lights [1], shape (4,)"""
    selectpoint: Array[np.float32]
    """colour of the selected point [1], shape (4,)"""
    connect: Array[np.float32]
    """colour of the lines that connect bodies [1], shape (4,)"""
    contactpoint: Array[np.float32]
    """colour of contact points [1], shape (4,)"""
    contactforce: Array[np.float32]
    """colour of contact forces [1], shape (4,)"""
    contactfriction: Array[np.float32]
    """colour of friction forces [1], shape (4,)"""
    contacttorque: Array[np.float32]
    """colour of contact torques [1], shape (4,)"""
    contactgap: Array[np.float32]
    """colour of contacts that do not push [1], shape (4,)"""
    rangefinder: Array[np.float32]
    """colour of rangefinder rays [1], shape (4,)"""
    constraint: Array[np.float32]
    """colour of violated constraints [1], shape (4,)"""
    slidercrank: Array[np.float32]
    """colour of slider-cranks [1], shape (4,)"""
    crankbroken: Array[np.float32]
    """colour of a slider-crank whose rod is too short [1], shape (4,)"""
    frustum: Array[np.float32]
    """colour of a camera's field of view [1], shape (4,)"""
    bv: Array[np.float32]
    """colour of bounding volumes [1], shape (4,)"""
    bvactive: Array[np.float32]
    """colour of bounding volumes that were tested [1], shape (4,)"""

class TumbleOption(Group):
    """`m.tumble`."""

    contact_model: Integer
    """what a constraint force is (ContactModel): 0 soft and convex, 1 LCP [1]"""
    threads: Integer
    """threads that solve islands, the calling one among them: 1 to 128 [1]"""
    lcp_method: Integer
    """LCP: splitting (Splitting): 0 Jacobi, 1 Gauss-Seidel, 2 SOR, 3 conjugate [1]"""
    lcp_block: Integer
    """LCP: 1: normal and tangents of a contact at once, a 3x3 block; 0: row by row [1]"""
    lcp_omega: Real
    """LCP: relaxation of SOR, between 0 and 2 [1]"""
    lcp_sweeps: Integer
    """LCP: most sweeps over all rows in a step [1]"""
    lcp_tolerance: Real
    """LCP: the sweeps stop when the natural map is smaller [m/s or rad/s]"""
    lcp_stabilization: Real
    """LCP: part of a violation that a step takes back, 0 to 1 [1]"""
    lcp_slop: Real
    """LCP: violation of one-sided constraints that is left alone [m or rad]"""
    lcp_speed: Real
    """LCP: most speed with which violations are taken back [m/s or rad/s]"""
    lcp_restitution: Real
    """LCP: speed of separation over that of approach in a contact, 0 to 1 [1]"""
    lcp_rest: Real
    """LCP: a contact that approaches more slowly does not bounce [m/s]"""

class ContactRows(Rows[MjContact]):
    """`d.contact`."""

    dist: Array[np.float64]
    """distance of the surfaces; negative: they penetrate [m], shape (maxcon,), ncon rows in use"""
    pos: Array[np.float64]
    """midpoint between the surfaces [m], shape (maxcon, 3), ncon rows in use"""
    frame: Array[np.float64]
    """axes by rows: normal from the first to the second geom, then two tangents [1], shape (maxcon, 9), ncon rows in use"""
    includemargin: Array[np.float64]
    """it pushes when closer than this: margin - gap [m], shape (maxcon,), ncon rows in use"""
    friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling [1, 1, m, m, m], shape (maxcon, 5), ncon rows in use"""
    solref: Array[np.float64]
    """response along the normal [s, 1], shape (maxcon, 2), ncon rows in use"""
    solreffriction: Array[np.float64]
    """response along the tangents; zeros: as the normal [s, 1], shape (maxcon, 2), ncon rows in use"""
    solimp: Array[np.float64]
    """impedance [1, 1, m, 1, 1], shape (maxcon, 5), ncon rows in use"""
    mu: Array[np.float64]
    """sliding friction of the regularized elliptic cone [1], shape (maxcon,), ncon rows in use"""
    H: Array[np.float64]
    """Hessian of the elliptic cone's cost, dim x dim numbers [1], shape (maxcon, 36), ncon rows in use"""
    dim: Array[np.int32]
    """dimensions of its force: 1, 3, 4 or 6 [1], shape (maxcon,), ncon rows in use"""
    geom: Array[np.int32]
    """the two geoms; -1: a flex [1], shape (maxcon, 2), ncon rows in use"""
    flex: Array[np.int32]
    """the two flexes; -1: a geom [1], shape (maxcon, 2), ncon rows in use"""
    elem: Array[np.int32]
    """elements of the flexes; -1: none [1], shape (maxcon, 2), ncon rows in use"""
    vert: Array[np.int32]
    """vertices of the flexes; -1: none [1], shape (maxcon, 2), ncon rows in use"""
    exclude: Array[np.int32]
    """0: it acts; else why not: 1 gap, 2 fused, 3 no dofs, 4 passive [1], shape (maxcon,), ncon rows in use"""
    efc_address: Array[np.int32]
    """first of its rows; -1: none [1], shape (maxcon,), ncon rows in use"""
    geom1: Array[np.int32]
    """column of geom"""
    geom2: Array[np.int32]
    """column of geom"""

class ContactRow(Row):
    """`d.contact[i]`."""

    dist: Real
    """distance of the surfaces; negative: they penetrate [m]"""
    pos: Array[np.float64]
    """midpoint between the surfaces [m], shape (3,), ncon rows in use"""
    frame: Array[np.float64]
    """axes by rows: normal from the first to the second geom, then two tangents [1], shape (9,), ncon rows in use"""
    includemargin: Real
    """it pushes when closer than this: margin - gap [m]"""
    friction: Array[np.float64]
    """friction coefficients: two sliding, torsional, two rolling [1, 1, m, m, m], shape (5,), ncon rows in use"""
    solref: Array[np.float64]
    """response along the normal [s, 1], shape (2,), ncon rows in use"""
    solreffriction: Array[np.float64]
    """response along the tangents; zeros: as the normal [s, 1], shape (2,), ncon rows in use"""
    solimp: Array[np.float64]
    """impedance [1, 1, m, 1, 1], shape (5,), ncon rows in use"""
    mu: Real
    """sliding friction of the regularized elliptic cone [1]"""
    H: Array[np.float64]
    """Hessian of the elliptic cone's cost, dim x dim numbers [1], shape (36,), ncon rows in use"""
    dim: Integer
    """dimensions of its force: 1, 3, 4 or 6 [1]"""
    geom: Array[np.int32]
    """the two geoms; -1: a flex [1], shape (2,), ncon rows in use"""
    flex: Array[np.int32]
    """the two flexes; -1: a geom [1], shape (2,), ncon rows in use"""
    elem: Array[np.int32]
    """elements of the flexes; -1: none [1], shape (2,), ncon rows in use"""
    vert: Array[np.int32]
    """vertices of the flexes; -1: none [1], shape (2,), ncon rows in use"""
    exclude: Integer
    """0: it acts; else why not: 1 gap, 2 fused, 3 no dofs, 4 passive [1]"""
    efc_address: Integer
    """first of its rows; -1: none [1]"""
    geom1: Integer
    """number of geom"""
    geom2: Integer
    """number of geom"""

class SolverIterationRows(Rows[MjSolverStat]):
    """`d.solver`."""

    improvement: Array[np.float64]
    """scaled cost reduction, 200 iterations for each of 20 islands [1], shape (4000,)"""
    gradient: Array[np.float64]
    """scaled gradient norm (primal solvers) [1], shape (4000,)"""
    lineslope: Array[np.float64]
    """slope left by the line search (primal solvers) [1], shape (4000,)"""
    nactive: Array[np.int32]
    """rows in an active state [1], shape (4000,)"""
    nchange: Array[np.int32]
    """rows that changed state [1], shape (4000,)"""
    neval: Array[np.int32]
    """cost evaluations of the line search [1], shape (4000,)"""
    nupdate: Array[np.int32]
    """rank-one updates of the Hessian's factor [1], shape (4000,)"""

class SolverIterationRow(Row):
    """`d.solver[i]`."""

    improvement: Real
    """scaled cost reduction, 200 iterations for each of 20 islands [1]"""
    gradient: Real
    """scaled gradient norm (primal solvers) [1]"""
    lineslope: Real
    """slope left by the line search (primal solvers) [1]"""
    nactive: Integer
    """rows in an active state [1]"""
    nchange: Integer
    """rows that changed state [1]"""
    neval: Integer
    """cost evaluations of the line search [1]"""
    nupdate: Integer
    """rank-one updates of the Hessian's factor [1]"""

class WarningCountRows(Rows[MjWarningStat]):
    """`d.warning`."""

    lastinfo: Array[np.int32]
    """what the latest warning of each kind was about: an index [1], shape (8,)"""
    number: Array[np.int32]
    """how often each kind of warning (mjtWarning) was raised [1], shape (8,)"""

class WarningCountRow(Row):
    """`d.warning[i]`."""

    lastinfo: Integer
    """what the latest warning of each kind was about: an index [1]"""
    number: Integer
    """how often each kind of warning (mjtWarning) was raised [1]"""

class TimerRows(Rows[MjTimerStat]):
    """`d.timer`."""

    duration: Array[np.float64]
    """time spent in each part of the pipeline (mjtTimer) [s], shape (15,)"""
    number: Array[np.int32]
    """how often each part of the pipeline ran [1], shape (15,)"""

class TimerRow(Row):
    """`d.timer[i]`."""

    duration: Real
    """time spent in each part of the pipeline (mjtTimer) [s]"""
    number: Integer
    """how often each part of the pipeline ran [1]"""

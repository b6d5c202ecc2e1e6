"""Enumerations of the engine: options, state, constraint rows, warnings, timers."""

from tumble.physics.state.enums.number import NamedNumber


class mjtDisableBit(NamedNumber):
    """Bits of `opt.disableflags`: parts of the engine that are switched off."""

    mjDSBL_CONSTRAINT = 1
    mjDSBL_EQUALITY = 2
    mjDSBL_FRICTIONLOSS = 4
    mjDSBL_LIMIT = 8
    mjDSBL_CONTACT = 16
    mjDSBL_SPRING = 32
    mjDSBL_DAMPER = 64
    mjDSBL_GRAVITY = 128
    mjDSBL_CLAMPCTRL = 256
    mjDSBL_WARMSTART = 512
    mjDSBL_FILTERPARENT = 1024
    mjDSBL_ACTUATION = 2048
    mjDSBL_REFSAFE = 4096
    mjDSBL_SENSOR = 8192
    mjDSBL_MIDPHASE = 16384
    mjDSBL_EULERDAMP = 32768
    mjDSBL_AUTORESET = 65536
    mjDSBL_NATIVECCD = 131072
    mjDSBL_ISLAND = 262144
    mjNDISABLE = 19


class mjtEnableBit(NamedNumber):
    """Bits of `opt.enableflags`: optional parts of the engine that are switched on."""

    mjENBL_OVERRIDE = 1
    mjENBL_ENERGY = 2
    mjENBL_FWDINV = 4
    mjENBL_INVDISCRETE = 8
    mjENBL_MULTICCD = 16
    mjENBL_SLEEP = 32
    mjNENABLE = 6


class mjtIntegrator(NamedNumber):
    """Numerical integrators."""

    mjINT_EULER = 0
    mjINT_RK4 = 1
    mjINT_IMPLICIT = 2
    mjINT_IMPLICITFAST = 3


class mjtCone(NamedNumber):
    """Types of friction cones."""

    mjCONE_PYRAMIDAL = 0
    mjCONE_ELLIPTIC = 1


class mjtJacobian(NamedNumber):
    """Storage of the constraint Jacobian."""

    mjJAC_DENSE = 0
    mjJAC_SPARSE = 1
    mjJAC_AUTO = 2


class mjtSolver(NamedNumber):
    """Constraint solvers."""

    mjSOL_PGS = 0
    mjSOL_CG = 1
    mjSOL_NEWTON = 2


class mjtLRMode(NamedNumber):
    """For which actuators length ranges are computed."""

    mjLRMODE_NONE = 0
    mjLRMODE_MUSCLE = 1
    mjLRMODE_MUSCLEUSER = 2
    mjLRMODE_ALL = 3


class mjtState(NamedNumber):
    """Components of the state, as bits, and their usual combinations."""

    mjSTATE_TIME = 1
    mjSTATE_QPOS = 2
    mjSTATE_QVEL = 4
    mjSTATE_ACT = 8
    mjSTATE_HISTORY = 16
    mjSTATE_WARMSTART = 32
    mjSTATE_CTRL = 64
    mjSTATE_QFRC_APPLIED = 128
    mjSTATE_XFRC_APPLIED = 256
    mjSTATE_EQ_ACTIVE = 512
    mjSTATE_MOCAP_POS = 1024
    mjSTATE_MOCAP_QUAT = 2048
    mjSTATE_USERDATA = 4096
    mjSTATE_PLUGIN = 8192
    mjNSTATE = 14
    mjSTATE_PHYSICS = 30
    mjSTATE_FULLPHYSICS = 8223
    mjSTATE_USER = 8128
    mjSTATE_INTEGRATION = 16383


class mjtConstraint(NamedNumber):
    """Types of constraint rows."""

    mjCNSTR_EQUALITY = 0
    mjCNSTR_FRICTION_DOF = 1
    mjCNSTR_FRICTION_TENDON = 2
    mjCNSTR_LIMIT_JOINT = 3
    mjCNSTR_LIMIT_TENDON = 4
    mjCNSTR_CONTACT_FRICTIONLESS = 5
    mjCNSTR_CONTACT_PYRAMIDAL = 6
    mjCNSTR_CONTACT_ELLIPTIC = 7


class mjtConstraintState(NamedNumber):
    """States of constraint rows: which piece of the cost is active."""

    mjCNSTRSTATE_SATISFIED = 0
    mjCNSTRSTATE_QUADRATIC = 1
    mjCNSTRSTATE_LINEARNEG = 2
    mjCNSTRSTATE_LINEARPOS = 3
    mjCNSTRSTATE_CONE = 4


class mjtWarning(NamedNumber):
    """Warnings that a simulation counts."""

    mjWARN_INERTIA = 0
    mjWARN_CONTACTFULL = 1
    mjWARN_CNSTRFULL = 2
    mjWARN_VGEOMFULL = 3
    mjWARN_BADQPOS = 4
    mjWARN_BADQVEL = 5
    mjWARN_BADQACC = 6
    mjWARN_BADCTRL = 7
    mjNWARNING = 8


class mjtTimer(NamedNumber):
    """Timers of the parts of a step."""

    mjTIMER_STEP = 0
    mjTIMER_FORWARD = 1
    mjTIMER_INVERSE = 2
    mjTIMER_POSITION = 3
    mjTIMER_VELOCITY = 4
    mjTIMER_ACTUATION = 5
    mjTIMER_CONSTRAINT = 6
    mjTIMER_ADVANCE = 7
    mjTIMER_POS_KINEMATICS = 8
    mjTIMER_POS_INERTIA = 9
    mjTIMER_POS_COLLISION = 10
    mjTIMER_POS_MAKE = 11
    mjTIMER_POS_PROJECT = 12
    mjTIMER_COL_BROAD = 13
    mjTIMER_COL_NARROW = 14
    mjNTIMER = 15


class mjtSleepState(NamedNumber):
    """Sleep states of an element."""

    mjS_STATIC = -1
    mjS_ASLEEP = 0
    mjS_AWAKE = 1


class mjtTaskStatus(NamedNumber):
    """States of a task that a pool of threads runs."""

    mjTASK_NEW = 0
    mjTASK_QUEUED = 1
    mjTASK_COMPLETED = 2

"""The stage table: which entry of `m.stage` holds the address of which part of the pipeline; 0 there means skip.

The entries stand in the order in which a step runs them, those of one phase next to each other. Kernels know them as
integers: `SOLVER = int(Entry.SOLVER)`, and a whole phase as its first and last entry: `POSES = span(Phase.POSES)`.
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto


class Phase(Enum):
    """Parts of the pipeline that are run as one; then those that other stages call."""

    # position
    POSES = auto()
    INERTIA = auto()
    CONTACTS = auto()
    ROWS = auto()
    ISLANDS = auto()
    PROJECTION = auto()
    POSITION_SENSORS = auto()
    # velocity
    VELOCITY = auto()
    VELOCITY_SENSORS = auto()
    # acceleration
    CONTROL = auto()
    FORCES = auto()
    CONSTRAINT = auto()
    ACCELERATION_SENSORS = auto()
    # the end of a step
    COMPARISON = auto()
    SLEEP = auto()
    INTEGRATION = auto()
    # called by stages
    SOLVING = auto()
    DERIVATIVES = auto()
    ON_DEMAND = auto()


class Entry(IntEnum):
    """An entry of the stage table, numbered in this order; `phase` is the phase that it belongs to."""

    phase: Phase

    def __new__(cls, phase: Phase) -> Entry:
        """The next number, whatever the phase."""
        made = int.__new__(cls, len(cls.__members__))
        made._value_ = len(cls.__members__)
        made.phase = phase
        return made

    WAKE_TOUCHED = Phase.POSES  # trees that were pushed or moved by hand
    KINEMATICS = Phase.POSES
    COM_POS = Phase.POSES
    CAMLIGHT = Phase.POSES
    FLEX = Phase.POSES
    TENDON = Phase.POSES
    WAKE_COUPLED = Phase.POSES  # what a tendon or an equality ties to something awake

    MAKE_M = Phase.INERTIA
    FACTOR_M = Phase.INERTIA

    COLLISION = Phase.CONTACTS
    WAKE_TOUCHING = Phase.CONTACTS

    EQUALITY = Phase.ROWS
    MAKE_CONSTRAINT = Phase.ROWS
    TRANSMISSION = Phase.ROWS  # after the contacts, which adhesion pulls at

    ISLANDS = Phase.ISLANDS

    PROJECT = Phase.PROJECTION

    SENSOR_POS = Phase.POSITION_SENSORS
    USER_POS = Phase.POSITION_SENSORS
    ENERGY_POS = Phase.POSITION_SENSORS

    TRANSMISSION_VEL = Phase.VELOCITY
    FLEX_VEL = Phase.VELOCITY
    COM_VEL = Phase.VELOCITY
    FLUID = Phase.VELOCITY
    PASSIVE = Phase.VELOCITY
    FLEX_PASSIVE = Phase.VELOCITY
    CABLE = Phase.VELOCITY
    PASSIVE_CALLBACK = Phase.VELOCITY
    REFERENCE = Phase.VELOCITY
    RNE = Phase.VELOCITY
    TENDON_BIAS = Phase.VELOCITY

    SENSOR_VEL = Phase.VELOCITY_SENSORS
    USER_VEL = Phase.VELOCITY_SENSORS
    ENERGY_VEL = Phase.VELOCITY_SENSORS

    CONTROL = Phase.CONTROL

    ACTUATION = Phase.FORCES
    ACCELERATION = Phase.FORCES

    SOLVE = Phase.CONSTRAINT

    SENSOR_ACC = Phase.ACCELERATION_SENSORS
    USER_ACC = Phase.ACCELERATION_SENSORS

    FORWARD_INVERSE = Phase.COMPARISON
    FALL = Phase.SLEEP
    INTEGRATE = Phase.INTEGRATION

    # what solving an island takes: room for the solver, the dual's matrix, the solver, its sparse Hessian, the no-slip pass
    LANE = Phase.SOLVING
    ROOM = Phase.SOLVING
    DUAL = Phase.SOLVING
    SOLVER = Phase.SOLVING
    BLOCKS = Phase.SOLVING
    NOSLIP = Phase.SOLVING

    # derivatives of the smooth forces by velocity, by implicit integrators and their inverse; the first clears d.qDeriv
    DERIV_SMOOTH = Phase.DERIVATIVES
    DERIV_FLUID = Phase.DERIVATIVES
    DERIV_RNE = Phase.DERIVATIVES
    DERIV_FLEX = Phase.DERIVATIVES

    IMPLICIT_FLEX = Phase.ON_DEMAND  # by the implicit methods of INTEGRATE
    INVERSE_FLEX = Phase.ON_DEMAND  # by their inverse
    SOFT_SIDE = Phase.ON_DEMAND  # which bodies carry a side of a contact that is of a flex: by all that ask
    SOFT_CONTACT = Phase.ON_DEMAND  # rows of a contact with a flex: by MAKE_CONSTRAINT
    HOLD_FLEX = Phase.ON_DEMAND  # by EQUALITY
    CONTACT_SPRINGS = Phase.ON_DEMAND  # of flexes, by PASSIVE
    FLEX_ENERGY = Phase.ON_DEMAND  # by ENERGY_POS and SENSOR_POS
    SENSOR_SHAPES = Phase.ON_DEMAND  # by SENSOR_POS
    SENSOR_CONTACTS = Phase.ON_DEMAND  # by SENSOR_ACC, as the next
    SENSOR_TAXELS = Phase.ON_DEMAND
    SENSOR_GRIDS = Phase.ON_DEMAND
    EXCHANGE_READINGS = Phase.ON_DEMAND  # by the stages of sensors, where some have a history; as the next
    LATE_READINGS = Phase.ON_DEMAND
    DELAYED_CTRL = Phase.ON_DEMAND  # by ACTUATION
    KEEP_HISTORY = Phase.ON_DEMAND  # by INTEGRATE
    FORWARD_QUIET = Phase.ON_DEMAND  # by the Runge-Kutta method of INTEGRATE
    CONTACT_FILTER = Phase.ON_DEMAND  # the user's: by COLLISION,
    ACT_DYN = Phase.ON_DEMAND  # ... by ACTUATION,
    ACT_GAIN = Phase.ON_DEMAND
    ACT_BIAS = Phase.ON_DEMAND
    SENSOR_CALLBACK = Phase.ON_DEMAND  # ... by USER_POS, USER_VEL, USER_ACC


def span(phase: Phase) -> tuple[int, int]:
    """First and last entry of a phase, as kernels take them."""
    entries = [int(entry) for entry in Entry if entry.phase is phase]
    return entries[0], entries[-1]

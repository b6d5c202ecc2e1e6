"""The stage table: which entry of `m.stage` holds the address of which part of the pipeline; 0 there means skip."""

KINEMATICS, COM_POS, CAMLIGHT, TENDON = 0, 1, 2, 3
MAKE_M, FACTOR_M = 4, 5
COLLISION, MAKE_CONSTRAINT = 6, 7
TRANSMISSION, SENSOR_POS, ENERGY_POS = 8, 9, 10
TRANSMISSION_VEL, COM_VEL, FLUID, PASSIVE, REFERENCE, RNE = 11, 12, 13, 14, 15, 16
SENSOR_VEL, ENERGY_VEL = 17, 18
ACTUATION, ACCELERATION, SOLVE, SENSOR_ACC = 19, 20, 21, 22
INTEGRATE, FORWARD_QUIET = 23, 24
PROJECT, FORWARD_INVERSE = 25, 26
EQUALITY = 27
# What islands are, and what is done for each: room for the solver, the dual's matrix, the solver, the no-slip pass.
ISLANDS, ROOM, DUAL, SOLVER, NOSLIP, LANE = 28, 29, 30, 31, 32, 33
WAKE_TOUCHED, WAKE_COUPLED, WAKE_TOUCHING, FALL = 34, 35, 36, 37
TENDON_BIAS = 38
# 39: the sensors of sensor/geometry.py; 40: solver/blocks.py

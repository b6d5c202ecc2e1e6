"""Kinematics, inertia, bias and passive forces, tendons, actuators and energy."""

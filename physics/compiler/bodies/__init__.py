"""The kinematic tree and what is fixed to bodies, as arrays."""

"""Actuators: transmissions, activations, forces and muscles."""

"""Tendons: fixed and spatial, and what their armature adds to the bias force."""

"""Motions: the forces that make one, velocity products by joints, and time backwards."""

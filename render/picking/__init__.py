"""Rays from the eye into the scene, computed on the processor."""

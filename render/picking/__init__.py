"""Picking: which object is under a pixel, computed on the CPU."""

"""Rays from the eye to what is seen, computed on the processor."""

"""Intervals (first, last) of t along a line p + t v; empty if the first is beyond the last."""

import math

from tumble.physics.kernel import kernel

FAR = math.inf


@kernel
def slab(p, v, low, high):
    """The interval of t where low <= p + t v <= high."""
    if v == 0.0:
        return (-FAR, FAR) if low <= p <= high else (FAR, -FAR)
    a, b = (low - p) / v, (high - p) / v
    return min(a, b), max(a, b)


@kernel
def overlap(a, b):
    """Intersection of two intervals."""
    return max(a[0], b[0]), min(a[1], b[1])


@kernel
def hull(a, b):
    """From the first beginning to the last end of two intervals, of which each may be empty."""
    if a[0] > a[1]:
        return b
    if b[0] > b[1]:
        return a
    return min(a[0], b[0]), max(a[1], b[1])

"""Angles of hinges without limits, which turn on and on: the angle within one turn, and whole turns."""

from __future__ import annotations

import math

TURN = 2 * math.pi


def split(angle: float) -> tuple[float, int]:
    """An angle [rad] in (-pi, pi], and the whole turns that it is beyond that."""
    turns = math.ceil(angle / TURN - 0.5)
    return angle - TURN * turns, turns


def nearest(angle: float, to: float) -> float:
    """Of the angles [rad] that look like one in (-pi, pi] the nearest to another; one outside of that is meant as it is."""
    if not -math.pi <= angle <= math.pi:
        return angle
    return angle + TURN * round((to - angle) / TURN)


def turns_text(turns: int) -> str:
    """Whole turns for reading; "" for none."""
    return "" if turns == 0 else f"{turns:+d} turn{'' if abs(turns) == 1 else 's'}"

"""Placeholder texts for panels without data."""

from __future__ import annotations


def none_yet(what: str, paused: bool) -> str:
    """That there is none of something yet; while time stands, also how to let it pass."""
    return f"No {what} yet: press Space to play, or Right for a step" if paused else f"No {what} yet"

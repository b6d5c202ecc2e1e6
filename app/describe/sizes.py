"""Counts of a model's elements. Bodies exclude the world, which no file declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tumble.physics import MjModel

_WORDS = {
    "body": ("body", "bodies"), "jnt": ("joint", "joints"), "v": ("dof", "dofs"), "geom": ("geom", "geoms"),
    "u": ("actuator", "actuators"),
}  # fmt: skip


def bodies(model: MjModel) -> int:
    """The bodies of a model, without the world."""
    return int(model.nbody) - 1


def counts(model: MjModel, *kinds: str) -> list[str]:
    """Counts of the given kinds (body, jnt, v, geom, u) as text: "1 body", "23 joints"."""
    numbers = [bodies(model) if kind == "body" else int(getattr(model, f"n{kind}")) for kind in kinds]
    return [f"{number} {_WORDS[kind][number != 1]}" for kind, number in zip(kinds, numbers, strict=True)]

"""The bundled models, in the order of the menu."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.theme import RESOURCES


@dataclass(frozen=True, slots=True)
class Example:
    """A bundled model: its file, and what the menu says."""

    file: str
    title: str

    @property
    def path(self) -> Path:
        """Where it is."""
        return RESOURCES / "models" / self.file


EXAMPLES = (
    Example("tumbler.xml", "Tumbler and pendulum wave"),
    Example("figure.xml", "Figure with position servos"),
    Example("double_pendulum.xml", "Double pendulum"),
    Example("slope.xml", "Boxes on a slope"),
)
# What runs when no model is named.
FIRST = EXAMPLES[0]

"""The quality of pictures in words, and what was measured of it, as it is kept from one start to the next."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tumble.app.base import plain_json
from tumble.render.gpu.quality import QualityLevel

AUTOMATIC = "automatic"


def level_of(text: str) -> QualityLevel | None:
    """The level that a setting says; None for the measured one."""
    return next((level for level in QualityLevel if level.name.lower() == text), None)


@dataclass(frozen=True, slots=True)
class MeasuredQuality:
    """renderer: what OpenGL says that it is; seconds: that a picture of this level takes there."""

    renderer: str
    level: QualityLevel
    seconds: float

    @staticmethod
    def read(text: str) -> MeasuredQuality | None:
        """Parse a stored measurement; None if empty or of an unknown level."""
        if not text:
            return None
        entry = plain_json.read(text)
        level = level_of(entry["level"])
        return None if level is None else MeasuredQuality(entry["renderer"], level, float(entry["seconds"]))

    def text(self) -> str:
        """To be kept."""
        return json.dumps({"renderer": self.renderer, "level": self.level.name.lower(), "seconds": self.seconds})

    @property
    def said(self) -> str:
        """In words."""
        return f"{self.level.name.lower()}: {1000.0 * self.seconds:.1f} ms a picture, {self.renderer}"


def measured(text: str) -> str:
    """Describe a stored measurement; empty if there is none."""
    found = MeasuredQuality.read(text)
    return "" if found is None else found.said

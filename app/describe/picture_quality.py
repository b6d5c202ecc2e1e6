"""Words for rendering quality, and its measurement as stored between starts."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from tumble.render.gpu.quality import QualityLevel

AUTOMATIC = "automatic"


def level_of(text: str) -> QualityLevel | None:
    """Quality level of a setting; None for the measured one."""
    return next((level for level in QualityLevel if level.name.lower() == text), None)


class MeasuredQuality(Struct, frozen=True):
    """renderer: name from OpenGL; seconds: time of a frame at this level [s]."""

    renderer: str
    level: QualityLevel
    seconds: float

    @staticmethod
    def read(entry: dict[str, Any]) -> MeasuredQuality | None:
        """Parse a stored measurement; None if empty or of an unknown level."""
        if not entry:
            return None
        level = level_of(entry["level"])
        return None if level is None else MeasuredQuality(entry["renderer"], level, float(entry["seconds"]))

    def to_entry(self) -> dict[str, Any]:
        """JSON form for storage."""
        return {"renderer": self.renderer, "level": self.level.name.lower(), "seconds": self.seconds}

    @property
    def said(self) -> str:
        """The measurement in words."""
        return f"{self.level.name.lower()}: {1000.0 * self.seconds:.1f} ms a picture, {self.renderer}"


def measured(entry: dict[str, Any]) -> str:
    """Describe a stored measurement; empty if missing."""
    quality = MeasuredQuality.read(entry)
    return "" if quality is None else quality.said

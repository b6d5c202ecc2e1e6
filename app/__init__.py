"""The window: PyQt6 over render over physics."""

from __future__ import annotations

__version__ = "0.1.0"

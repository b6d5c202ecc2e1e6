"""Folders for what the library can recreate: below the user's cache folder."""

from __future__ import annotations

import os
from pathlib import Path

from tumble.physics.files import home


def cache(kind: str) -> Path:
    """The folder for things of a kind, which need not exist."""
    base = os.environ.get("XDG_CACHE_HOME") or str(home() / ".cache")
    return Path(base).absolute() / "tumble" / kind

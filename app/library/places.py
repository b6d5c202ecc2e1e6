"""Folders for what the library can recreate: below the user's cache folder."""

from __future__ import annotations

from pathlib import Path

from tumble.physics.system import cache_folder


def cache(kind: str) -> Path:
    """The folder for things of a kind, which need not exist."""
    return cache_folder() / kind

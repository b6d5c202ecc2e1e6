"""Trusted controller files: the user has agreed to exactly these contents."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from tumble.app.base.settings import TRUSTED, Settings
from tumble.app.panels.control.script import ControllerSource

MOST_TRUSTED = 500


class Trust:
    """Contents are trusted by digest and remembered; a path only while the window is open, for a file that is worked on."""

    def __init__(self, store: Settings) -> None:
        self._store = store
        self._paths: set[Path] = set()

    def __contains__(self, source: ControllerSource) -> bool:
        return source.path in self._paths or source.digest in self._store.get(TRUSTED)

    def add(self, source: ControllerSource, *, whole_path: bool = False) -> None:
        """Trust these contents from now on; whole_path: and all that the file will have while the window is open."""
        if whole_path:
            self._paths.add(source.path)
        others = [known for known in self._store.get(TRUSTED) if known != source.digest]
        self._store.put(TRUSTED, [source.digest, *others][:MOST_TRUSTED])


def plainly(text: str) -> str:
    """A text without hidden characters: invisible ones, and those that change the reading direction, are shown as numbers."""
    return "".join(_seen(char) for char in text.replace("\r\n", "\n"))


def _seen(char: str) -> str:
    if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp"):
        return char
    return f"\N{LEFT-POINTING DOUBLE ANGLE QUOTATION MARK}U+{ord(char):04X}\N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK}"

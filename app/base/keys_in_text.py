"""Keys in sentences as the system's programs write them: Ctrl+Shift+K, which on macOS is the command key's, and written ⇧⌘K."""

from __future__ import annotations

import re
import sys

# By the names that Qt has for them, in the order in which macOS writes them.
_SIGNS = {"Meta": "⌃", "Alt": "⌥", "Shift": "⇧", "Ctrl": "⌘"}
_KEYS = re.compile(r"\b((?:(?:Ctrl|Alt|Shift|Meta)\+)+)(?=\S)|\b(Ctrl|Alt)\b")


def with_keys(text: str) -> str:
    """A text that names keys as Qt does, for people. Shift alone stays a word; Ctrl+C in a terminal is Ctrl+C everywhere."""
    return _KEYS.sub(_signs, text) if sys.platform == "darwin" else text


def _signs(found: re.Match[str]) -> str:
    names = found[0].split("+")
    return "".join(sign for name, sign in _SIGNS.items() if name in names)

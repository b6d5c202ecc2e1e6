"""Pages of docs/ and the names on them that the window knows."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, unquote

from tumble import ROOT
from tumble.app.look.theme import RESOURCES

FIRST = "reading-the-seeds.md"
_SHIPPED = RESOURCES / "docs"  # of an installed program; in the sources, docs/ is at the top
DOCS = _SHIPPED if _SHIPPED.is_dir() else ROOT / "docs"
SCRIPTS = DOCS / "scripts"
SCHEME = "place:"
_NAMES = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])|`(\w+\.py)`")


def italics(text: str) -> list[str]:
    """The texts in italics: names in the window."""
    return [found.group(1) for found in _NAMES.finditer(text) if found.group(1)]


def scripts(text: str) -> list[str]:
    """File names of the programs on a page, in their order."""
    return list(dict.fromkeys(found.group(2) for found in _NAMES.finditer(text) if found.group(2)))


def linked(text: str, knows: Callable[[str], bool]) -> str:
    """A page, with links for the names that the window knows, and for programs."""

    def link(found: re.Match[str]) -> str:
        name = found.group(1) or found.group(2)
        if found.group(2) is None and not knows(name):
            return found.group(0)
        return f"[{name}]({SCHEME}{quote(name, safe='')})"

    return _NAMES.sub(link, text)


def place_of(url: str) -> str:
    """The name that a link made by `linked` stands for; "": it is another link."""
    return unquote(url.removeprefix(SCHEME)) if url.startswith(SCHEME) else ""


def script_path(name: str) -> Path:
    """Path of a program of the docs."""
    return SCRIPTS / name

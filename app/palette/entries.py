"""What the command palette lists: an entry is a name with what happens when it is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum


class EntryKind(IntEnum):
    """What an entry stands for; of equally good matches the lower number comes first."""

    PANEL = 0  # before a switch of the view with the same title
    ACTION = 1
    ELEMENT = 2
    SIGNAL = 3


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """A line of the palette.

    ident: under which it is remembered as used; about: the menu path, or the kind of element; keys: in native form;
    why: why it cannot be chosen now, "" if it can; run: what it does.
    """

    ident: str
    title: str
    kind: EntryKind
    run: Callable[[], object]
    about: str = ""
    keys: str = ""
    why: str = ""

    @property
    def spoken(self) -> str:
        """The whole line as text, as a screen reader says it."""
        return ", ".join(part for part in (self.title, self.about, self.keys, self.why) if part)

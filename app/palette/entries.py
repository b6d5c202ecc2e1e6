"""Entries of the command palette: a name with an action."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import lru_cache, partial

from msgspec import Struct
from PyQt6.QtGui import QAction, QKeySequence
from PyQt6.QtWidgets import QMenu, QMenuBar

from tumble.app.look.actions import plain, why_disabled
from tumble.app.widgets.dock import Dock


class EntryKind(IntEnum):
    """Kind of an entry; the lower number wins among equally good matches."""

    PANEL = 0  # before a switch of the view with the same title
    ACTION = 1
    ELEMENT = 2
    SIGNAL = 3


class PaletteEntry(Struct, frozen=True):
    """A line of the palette.

    ident: key in the list of recently used entries; about: the menu path, or the kind of element; keys: in native form;
    why: why it is disabled, "" if enabled; run: its action; words: that are searched too, and not shown: tasks, with commas.
    """

    ident: str
    title: str
    kind: EntryKind
    run: Callable[[], object]
    about: str = ""
    keys: str = ""
    why: str = ""
    words: str = ""

    @property
    def tasks(self) -> list[list[str]]:
        """The words of each task that it is for."""
        return [words_of(task) for task in self.words.split(",")] if self.words else []

    @property
    def spoken(self) -> str:
        """The whole line as text, for screen readers."""
        return ", ".join(part for part in (self.title, self.about, self.keys, self.why) if part)


# Scores of one word, the higher the better.
WHOLE, WHOLE_WORD, PREFIX, WORD_START, INSIDE, SCATTERED = 100, 90, 80, 60, 40, 10
LONGEST_GAP = 6  # letters that a scattered match may skip at once
_BREAKS = " _-./[],:"
# Words of a question that say nothing about its subject; left out of a query that finds nothing as it is typed.
FILLERS = frozenset(
    "a an the this that these it its i my me is are was does do did can could should would will how what when where which why to "
    "of for in on at by with from and or there so see show find get look plot draw much many".split()
)


def words_of(typed: str) -> list[str]:
    """The words of a query, in lower case; brackets, commas and question marks separate them."""
    return [word for word in re.split(r"[\s\[\],?]+", typed.lower()) if word]


def without_fillers(words: list[str]) -> list[str]:
    """The words of a question that name its subject: "how do I see the poles?" is about poles."""
    stripped = [word.strip("!.") for word in words]
    return [word for word in stripped if word and word not in FILLERS]


def score(words: Sequence[str], title: str, about: str = "", tasks: Sequence[Sequence[str]] = ()) -> int:
    """Score of how well all words fit; 0: one of them does not. Texts in lower case.

    A word may be whole, a beginning, the start of a word, inside, or scattered: its letters in this order, with small gaps.
    Scattered letters count in the title only. A task counts as much as a title that has its words: no signal is above it.
    """
    if any(_is_task(words, task) for task in tasks):
        return WHOLE_WORD * len(words)
    total = 0
    for word in words:
        best = max(in_text(word, title), in_text(word, about) // 2) or _scattered(word, title)
        if not best:
            return 0
        total += best
    return total


def _is_task(words: Sequence[str], task: Sequence[str]) -> bool:
    """True if a task is typed, or two and more of its words in a row; "forces" is "force"."""
    typed, whole = ([word.removesuffix("s") for word in text] for text in (words, task))
    if len(typed) < 2:
        return typed == whole
    return any(whole[at : at + len(typed)] == typed for at in range(len(whole) - len(typed) + 1))


def in_text(word: str, text: str) -> int:
    """The score of a word that is somewhere in a text; 0: it is not."""
    if word == text:
        return WHOLE
    best, at = 0, text.find(word)
    while at >= 0 and best < WHOLE_WORD:
        starts = at == 0 or text[at - 1] in _BREAKS
        ends = at + len(word) == len(text) or text[at + len(word)] in _BREAKS
        best = max(best, (WHOLE_WORD if ends else PREFIX if at == 0 else WORD_START) if starts else INSIDE)
        at = text.find(word, at + 1)
    return best


def _scattered(word: str, text: str) -> int:
    return SCATTERED if len(word) > 1 and _pattern(word).search(text) else 0


@lru_cache(maxsize=64)
def _pattern(word: str) -> re.Pattern[str]:
    """The first letter starts a word, and the others follow with small gaps."""
    first, *rest = (re.escape(letter) for letter in word)
    return re.compile(rf"(?<![a-z0-9]){first}" + "".join(f".{{0,{LONGEST_GAP}}}?{letter}" for letter in rest))


PATH = " \N{BLACK RIGHT-POINTING SMALL TRIANGLE} "


def in_menus(bar: QMenuBar) -> Iterator[tuple[str, QAction]]:
    """Every action of the menus, at any depth, with the path of its menu."""
    for top in bar.actions():
        menu = top.menu()
        if menu is not None:
            yield from _in_menu(menu, plain(menu.title()))


def _in_menu(menu: QMenu, path: str) -> Iterator[tuple[str, QAction]]:
    menu.aboutToShow.emit()  # some are filled only then
    for action in menu.actions():
        sub = action.menu()
        if sub is not None:
            yield from _in_menu(sub, f"{path}{PATH}{plain(sub.title())}")
        elif not action.isSeparator():
            yield path, action


def commands(bar: QMenuBar, others: Iterable[QAction], docks: Iterable[Dock]) -> list[PaletteEntry]:
    """Entries of all actions, those of no menu too, and of all panels. A panel is opened, in front of its tabs."""
    panels = {dock.toggleViewAction(): dock for dock in docks}
    paths: dict[QAction, str] = {}
    for path, action in in_menus(bar):
        paths.setdefault(action, path)
    for action in others:
        paths.setdefault(action, "")
    found: list[PaletteEntry] = []
    for action, path in paths.items():
        found += _panel(panels[action], path, action) if action in panels else [_action(action, path)]
    return found


def keys_of(action: QAction) -> str:
    """The keys of an action as the user reads them."""
    shown = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
    return " or ".join(key for key in shown[:1] if key)


def _panel(dock: Dock, path: str, action: QAction) -> list[PaletteEntry]:
    """A panel, and those of its pages that have words of their own."""
    about = f"Panel{PATH}{path}" if path else "Panel"
    ident, keys = f"panel:{dock.objectName()}", keys_of(action)
    title = dock.windowTitle()
    whole = PaletteEntry(ident, title, EntryKind.PANEL, dock.bring, about, keys, words=dock.words)
    pages = [
        PaletteEntry(f"{ident}/{page}", f"{title}, {page}", EntryKind.PANEL, partial(dock.bring, page), about, words=words)
        for page, words in dock.pages.items()
    ]
    return [whole, *pages]


def _action(action: QAction, path: str) -> PaletteEntry:
    title = plain(action.text())
    about = f"{path}, {'on' if action.isChecked() else 'off'}" if action.isCheckable() else path
    run: Callable[[], object] = partial(action.trigger)
    ident = f"action:{action.objectName() or f'{path}/{title}'}"
    return PaletteEntry(ident, title, EntryKind.ACTION, run, about, keys_of(action), why_disabled(action))

"""Search among the numbers of a model by words, without listing them all: there may be millions.

A signal is a field, an element and a number of its row. Words are looked for in the names of fields first; those that are left
must be in the element's name, or be the name or number of a row or column.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from tumble.app.describe.signals import Catalogue, FieldInfo
from tumble.app.palette.entries import WHOLE_WORD, in_text

if TYPE_CHECKING:
    from tumble.physics import MjModel

MOST_ROWS = 24  # of one field in one search
MOST_FOUND = 400
FEW_ROWS = 4  # of a field whose rows come and go, where no row was asked for
USUAL, USUAL_BONUS = ("Sensors", "State and inputs"), 55  # groups that are plotted most, and what that adds to a score
DESCRIBED = 20  # score of a word that only the description of a field has


class SignalIndex:
    """The single numbers of one model, searched by words."""

    def __init__(self, model: MjModel) -> None:
        self._catalogue = Catalogue(model)
        self._fields = [info for group in self._catalogue.groups.values() for info in group]
        self._about = {info.name: f"{info.group} {info.field.doc}".lower() for info in self._fields}
        for info in self._fields:
            self._catalogue.row_names(info)  # kept there: a search does not wait for it

    def search(self, words: Sequence[str]) -> list[tuple[int, str, str]]:
        """Score, name and description of the numbers that have all words."""
        if not words:
            return []
        rows: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]] = {}
        found: list[tuple[int, str, str]] = []
        for info in self._fields:
            about = self._about[info.name]
            for name in islice(self._matching(info, words, about, rows), MOST_ROWS * info.width):
                total = sum(in_text(w, name.lower()) or DESCRIBED for w in words) + USUAL_BONUS * (info.group in USUAL)
                found.append((min(total, WHOLE_WORD * len(words)), name, info.field.doc))
            if len(found) >= MOST_FOUND:
                break
        return found

    def knows(self, name: str) -> bool:
        """True if the model has a single number of that name."""
        return self._catalogue.knows(name)

    def _matching(
        self, info: FieldInfo, words: Sequence[str], about: str, rows: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]]
    ) -> Iterator[str]:
        """The names of the numbers of a field that have all words; rows: what was found for words in other fields."""
        head = info.name.lower()
        left = [word for word in words if word not in head]
        if info.field.shape == ():
            if all(word in about for word in left) and len(left) < len(words):
                yield info.name
            return
        columns = self._catalogue.column_names(info)
        numbered = {word for word in left if word in columns}
        wanted = tuple(word for word in left if word not in numbered)
        if any(wanted) and not self._rows(info, wanted, rows):
            wanted = tuple(word for word in wanted if word not in about)
        if not wanted and len(left) == len(words):
            return  # nothing of what was typed is a name of it
        for _, row in self._rows(info, wanted, rows)[:MOST_ROWS]:
            for column in columns:
                if not numbered or column in numbered:
                    yield f"{info.name}[{row}, {column}]" if column else f"{info.name}[{row}]"

    def _rows(
        self, info: FieldInfo, words: tuple[str, ...], known: dict[tuple[int, tuple[str, ...]], list[tuple[int, str]]]
    ) -> list[tuple[int, str]]:
        """Number and text of the rows that have all words, as their number or in their name."""
        names = self._catalogue.row_names(info)
        if not words:
            most = FEW_ROWS if info.grows else MOST_ROWS
            return [(row, names.get(row, str(row))) for row in range(min(info.rows, most))]
        if len(words) == 1 and words[0].isdecimal() and int(words[0]) < info.rows:
            row = int(words[0])
            return [(row, names.get(row, str(row)))]
        key = id(names), words
        if key not in known:
            known[key] = [(row, name) for row, name in names.items() if all(word in name.lower() for word in words)]
        return known[key]

"""Which models the library shows for what was typed, below the sources that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tumble.app.library.folders import KnownModel, normal
from tumble.app.library.lookup import Shelf
from tumble.app.library.sources import ModelSource


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """A model, or the heading of a source where model is None; count: of the models below it."""

    source: ModelSource
    model: KnownModel | None = None
    count: int = 0

    @property
    def place(self) -> str:
        """The folder of a model in its source, for reading; empty where it lies in no folder of it."""
        return "" if self.model is None else "/".join(self.model.exact[0].split("/")[1:-1])


def rows(shelves: Sequence[Shelf], typed: str = "") -> list[LibraryRow]:
    """Headings with their models: those in whose name, folder or source each word occurs. Parts of models are left out."""
    words = [normal(word) for word in typed.split()]
    found = []
    for shelf in shelves:
        models = [model for model in shelf.models if not model.part and _has(model, shelf.source, words)]
        if models:
            found += [LibraryRow(shelf.source, count=len(models)), *(LibraryRow(shelf.source, model) for model in models)]
    return found


def _has(model: KnownModel, source: ModelSource, words: Sequence[str]) -> bool:
    text = normal(" ".join((model.title, source.title, *model.names, *model.exact)))
    return all(word in text for word in words)

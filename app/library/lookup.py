"""A model by its short name: `tumble go1`. One function interprets the argument of every command."""

from __future__ import annotations

import difflib
import logging
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from tumble.app.base import settings
from tumble.app.library import archive as archives
from tumble.app.library.folders import KnownModel, ModelSource, normal, sources
from tumble.app.replay.bundle import LoadError
from tumble.app.replay.replay_file import SUFFIX
from tumble.physics.state.export import saved

log = logging.getLogger(__name__)

SHOWN = 8  # candidates that a message names
CLOSE = 4  # names that a message proposes
_FILES = (*archives.XML, archives.URDF, *archives.SUFFIXES, SUFFIX, saved.SUFFIX)


class Shelf(Struct, frozen=True):
    """The models of a source."""

    source: ModelSource
    models: list[KnownModel]


def shelves(stored: Sequence[str]) -> list[Shelf]:
    """All models known by name. Reads the disk; missing folders are reported in the log. stored: the setting."""
    result, remarks = sources(stored)
    for remark in remarks:
        log.warning("%s", remark)
    return [Shelf(source, source.models()) for source in result]


def meaning(argument: Path) -> Path:
    """The model that an argument names: a file, an archive, or a model by its short name. Raises LoadError.

    A file that exists is that file, and no folder is looked through for it.
    """
    looks_like_one = argument.is_absolute() or argument.suffix.lower() in _FILES or archives.split(argument) is not None
    if looks_like_one or os.path.isfile(argument):
        return argument  # if missing after all, opening reports it
    try:
        return find(str(argument), shelves(stored_folders()))
    except LoadError:
        if os.path.isdir(argument):
            return argument  # opening reports it, too
        raise


def stored_folders() -> list[str]:
    """The folders of models in the user's settings."""
    return settings.Settings().get(settings.MODELS)


def find(name: str, known: Sequence[Shelf]) -> Path:
    """The file of a model by name. Raises LoadError, with the closest names or with the candidates.

    Where several sources have it, the first is taken, and the log lists the others.
    """
    wanted = normal(name.strip().strip("/"))
    hits = [(shelf, [model for model in shelf.models if _matches(model, wanted)]) for shelf in known]
    hits = [(shelf, models) for shelf, models in hits if models]
    if not hits:
        raise LoadError(_unknown(name, known))
    (first, models), *others = hits
    if len(models) > 1:
        raise LoadError(f"{name}: {first.source.key} has several: {_listed(models)}; name one, as in tumble {models[0].exact[0]}")
    rest = [model for _, in_shelf in others for model in in_shelf]
    if rest:
        log.warning("%s: opened %s (%s); there is also %s", name, models[0].exact[0], models[0].path, _listed(rest))
    return models[0].path


def _matches(model: KnownModel, wanted: str) -> bool:
    if "/" in wanted:
        return any(path == wanted or path.endswith(f"/{wanted}") for path in model.exact)
    return wanted in model.names


def _listed(models: Sequence[KnownModel]) -> str:
    more = f" and {len(models) - SHOWN} more" if len(models) > SHOWN else ""
    return ", ".join(model.exact[0] for model in models[:SHOWN]) + more


def _unknown(name: str, known: Sequence[Shelf]) -> str:
    wanted = normal(name.strip("/"))
    inside = [model for shelf in known for model in shelf.models if not model.part and f"/{wanted}/" in model.exact[0]]
    if inside:
        return f"{name}: is a folder of several models: {_listed(inside)}; name one, as in tumble {inside[0].exact[0]}"
    names = {short for shelf in known for model in shelf.models for short in model.names}
    close = difflib.get_close_matches(wanted[:100], sorted(names), n=CLOSE)
    guess = f"did you mean {', '.join(close)}? " if close else ""
    return f"{name}: no such file, and no model of this name; {guess}tumble models lists all {len(names)} names"


def table(known: Sequence[Shelf]) -> list[str]:
    """All models by name for reading, a line each, below their sources."""
    lines = []
    for shelf in known:
        shown = [model for model in shelf.models if not model.part]
        width = max((len(model.names[0]) for model in shown if model.names), default=0)
        lines.append(f"{shelf.source.title}: {len(shown)} models")
        lines += [f"  {model.names[0]:<{width}}  {model.path}" for model in shown if model.names]
    return lines


# ---- rows of the library


class LibraryRow(Struct, frozen=True):
    """A model, or the heading of a source where model is None; count: of the models below it."""

    source: ModelSource
    model: KnownModel | None = None
    count: int = 0

    @property
    def place(self) -> str:
        """Folder of a model in its source, for display; "" at the top."""
        return "" if self.model is None else "/".join(self.model.exact[0].split("/")[1:-1])


def rows(shelves: Sequence[Shelf], typed: str = "") -> list[LibraryRow]:
    """Headings with their models: those whose name, folder or source contain each word. Parts of models are omitted."""
    words = [normal(word) for word in typed.split()]
    result = []
    for shelf in shelves:
        models = [model for model in shelf.models if not model.part and _has(model, shelf.source, words)]
        if models:
            result += [LibraryRow(shelf.source, count=len(models)), *(LibraryRow(shelf.source, model) for model in models)]
    return result


def _has(model: KnownModel, source: ModelSource, words: Sequence[str]) -> bool:
    text = normal(" ".join((model.title, source.title, *model.names, *model.exact)))
    return all(word in text for word in words)

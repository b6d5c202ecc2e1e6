"""Files dropped on the window, and the choice among them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PyQt6.QtCore import QMimeData

from tumble.app.panels.control.script import SUFFIX
from tumble.app.session.loader import SUFFIXES

NAMED = 3  # so many of the files that are not opened are named


def local_files(mime: QMimeData | None) -> list[Path]:
    """The local files and folders among what is dragged."""
    if mime is None or not mime.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


@dataclass(frozen=True, slots=True)
class DropChoice:
    """Choice among dropped files: a model, a controller for it, and a remark on the others."""

    model: Path | None = None
    controller: Path | None = None
    remark: str = ""


def choose(paths: list[Path]) -> DropChoice:
    """The first Python file is the controller; the model is the first file of its kind, else the first of the others."""
    if not paths:
        return DropChoice(remark="Nothing to open: only files on this computer can be dropped.")
    controllers = [path for path in paths if path.suffix.lower() == SUFFIX and not path.is_dir()]
    others = [path for path in paths if path not in controllers]
    models = [path for path in others if path.suffix.lower() in SUFFIXES] or others
    taken = [files[0] for files in (models, controllers) if files]
    rest = [path for path in paths if path not in taken]
    more = f" and {len(rest) - NAMED} more" if len(rest) > NAMED else ""
    named = ", ".join(path.name for path in rest[:NAMED]) + more
    opened = " and ".join(path.name for path in taken)
    remark = f"Opened {opened}; one model runs at a time, with one controller, not opened: {named}" if rest else ""
    return DropChoice(models[0] if models else None, controllers[0] if controllers else None, remark)

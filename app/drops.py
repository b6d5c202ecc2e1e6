"""What may be dropped on the window, and which of it is opened."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PyQt6.QtCore import QMimeData

from app.controllers.script import SUFFIX


def local_files(mime: QMimeData | None) -> list[Path]:
    """The local files and folders among what is dragged."""
    if mime is None or not mime.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What of a drop is opened, a model and a controller for it, and what to say about the others."""

    model: Path | None = None
    controller: Path | None = None
    remark: str = ""


def choose(paths: list[Path]) -> Chosen:
    """The first Python file is the controller, the first of the others the model."""
    if not paths:
        return Chosen(remark="Nothing to open: only files of this computer can be dropped.")
    controllers = [path for path in paths if path.suffix.lower() == SUFFIX and not path.is_dir()]
    models = [path for path in paths if path not in controllers]
    taken = [files[0] for files in (models, controllers) if files]
    rest = [path for path in paths if path not in taken]
    others = ", ".join(path.name for path in rest[:3]) + (", …" if len(rest) > 3 else "")
    opened = " and ".join(path.name for path in taken)
    remark = f"Opened {opened}; one model runs at a time, with one controller, not opened: {others}" if rest else ""
    return Chosen(models[0] if models else None, controllers[0] if controllers else None, remark)

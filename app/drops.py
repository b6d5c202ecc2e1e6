"""What may be dropped on the window, and which of it is opened."""

from __future__ import annotations

from pathlib import Path

from PyQt6.QtCore import QMimeData


def local_files(mime: QMimeData | None) -> list[Path]:
    """The local files and folders among what is dragged."""
    if mime is None or not mime.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


def choose(paths: list[Path]) -> tuple[Path | None, str]:
    """The one that is opened, and what to say about the others."""
    if not paths:
        return None, "Nothing to open: only files of this computer can be dropped."
    if len(paths) == 1:
        return paths[0], ""
    others = ", ".join(path.name for path in paths[1:4]) + (", …" if len(paths) > 4 else "")
    return paths[0], f"Opened {paths[0].name}; one model runs at a time, not opened: {others}"

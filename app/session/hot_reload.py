"""Reload on save: the file that runs, and all it was read from, are watched."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from PyQt6.QtCore import QObject

from tumble.app.base.file_watch import FileWatch
from tumble.app.library import archive as archives
from tumble.app.session.session import Session
from tumble.physics.mjcf.document import digest

log = logging.getLogger(__name__)


class HotReload(QObject):
    """Has the session read its model again when a file of it was saved with other contents.

    One load runs at a time. Saves in the meantime cause one load afterwards, of the files as they are then: the newest wins,
    and none waits in line. A save that does not load leaves the model before as it runs.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._on = False
        self._known: dict[str, str] = {}  # last file contents read or tried
        self._path: Path | None = None
        self._due = False  # whether a file was saved during a load or the program's own writing
        self._watch = FileWatch(self)
        self._watch.changed.connect(self._on_change)
        session.model_loaded.connect(self._on_model)
        session.load_ended.connect(self._on_load)
        session.files_written.connect(self._on_written)

    @property
    def on(self) -> bool:
        """True if saves reload the model."""
        return self._on

    def set_on(self, on: bool) -> None:
        """Turn reload on save on or off; saves while it was off are read when it is on again."""
        self._on = on
        self._attend()
        if on:
            self._on_change()

    def _on_change(self) -> None:
        path = self._session.path
        if not self._on or path is None:
            return
        self._due = self._session.loads.busy or self._session.writing
        if self._due:
            return
        path = archives.on_disk(self._session.origin or path)
        if path.exists():
            self._session.read_again(self._known)
        else:
            log.warning("%s was deleted; the model keeps running, and is reloaded when the file is back", path)
            self._session.status.emit(f"{path.name} was deleted; the model keeps running")

    def _on_model(self) -> None:
        self._known = {}
        if self._session.path != self._path:
            self._due = False
        self._path = self._session.path

    def _on_load(self, files: Mapping[str, str]) -> None:
        # Where it did not load, the files that it was read from before are watched on: they may mend it.
        self._known = {**self._known, **files}
        self._attend()
        if self._due:
            self._on_change()

    def _on_written(self, files: Sequence[tuple[Path, bytes, bytes]]) -> None:
        """The program itself wrote the running model: no reload needed."""
        for path, before, after in files:
            if self._known.get(str(path)) == digest(before):
                self._known[str(path)] = digest(after)
        if self._due:
            self._on_change()

    def _attend(self) -> None:
        self._watch.watch(self._known if self._on else ())

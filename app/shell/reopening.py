"""Files that open by themselves: at a start that of the window closed last, with its camera; when it is saved the running one.

A file that ends the program, or never loads, must not do so again at every start. So its name is taken out of the settings,
on disk, before it is opened by itself, and comes back when a window that shows it is closed: whatever goes wrong between
the two, the next start opens the bundled scene, and reports why.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from PyQt6.QtCore import QObject, QTimer

from tumble.app.base import settings
from tumble.app.base.file_watch import FileWatch
from tumble.app.library import archive as archives
from tumble.app.library.examples import FIRST
from tumble.app.session.session import Session
from tumble.app.shell.view_flags import cameras_to, show_cameras
from tumble.app.viewport.widget import Viewport
from tumble.physics.mjcf.document import digest

log = logging.getLogger(__name__)


class Reopening(QObject):
    """Of one window."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session)
        self._session, self._viewport, self._store = session, viewport, session.store
        self._path: Path | None = None  # file reopened automatically, until it is loaded
        self._remark = self._late = ""
        session.load_started.connect(self._on_started)
        session.model_loaded.connect(self._on_loaded)
        session.load_failed.connect(self._on_failed)

    def begin(self) -> Path:
        """File or scene to open at a start without arguments."""
        last, begun = self._store.get(settings.LAST), self._store.get(settings.REOPENING)
        self._store.put(settings.LAST, "")
        self._store.put(settings.REOPENING, last)
        self._store.sync()
        if last and os.path.isfile(archives.on_disk(Path(last))):
            self._path = Path(last)
            return self._path
        if last:
            self._remark = f"{last} was open last, and no longer exists"
        elif begun and begun != str(FIRST.path):
            self._remark = f"{Path(begun).name} was not reopened, because Tumble did not close properly: see File, Open recent"
        return FIRST.path

    def end(self, path: Path | None) -> None:
        """The window closes; path: of the file that it shows, None: none that is worth coming back to."""
        self._store.put(settings.REOPENING, "")
        if path is not None:
            self._store.put(settings.LAST, str(path))
            self._store.put(settings.CAMERA, cameras_to(self._viewport))

    def _on_started(self, name: str) -> None:
        if self._path is not None and name != self._path.name:
            self._path = None  # the user has opened another file in the meantime

    def _on_loaded(self) -> None:
        path, self._path = self._path, None
        if path is not None and self._session.origin == path:
            self._look_as_before()
        if self._remark:
            log.warning("%s", self._remark)
        remarks = self._remark, self._store.report()
        self._late, self._remark = ". ".join(filter(None, remarks)), ""
        if self._late:
            QTimer.singleShot(0, self._tell)  # after the messages about the file itself; not at all if the window closes before

    def _tell(self) -> None:
        self._session.status.emit(self._late)

    def _look_as_before(self) -> None:
        if kept := self._store.get(settings.CAMERA):
            show_cameras(self._viewport, kept, self._session.loaded_model)

    def _on_failed(self, message: str) -> None:
        """Show the bundled scene in place of a reopened file that fails to load."""
        path, self._path = self._path, None
        if path is not None and self._session.model is None:
            self._remark = f"{path.name} was open last, and does not load: {message.splitlines()[0] if message else ''}"
            self._session.open(FIRST.path)


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

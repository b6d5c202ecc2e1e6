"""Gathers what a bundle for a bug report has, shows it, and writes it: from the window, in the background where it takes long."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from PyQt6.QtCore import QBuffer, QIODevice, QObject, QPoint, QRect, QStandardPaths, QTimer, pyqtSignal
from PyQt6.QtGui import QGuiApplication, QPainter
from PyQt6.QtWidgets import QFileDialog, QWidget

from tumble.app.base import files, settings
from tumble.app.base.background import Background
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.describe.numbers import duration
from tumble.app.replay.archive import SUFFIX, save
from tumble.app.rescue import graphics, report
from tumble.app.rescue.report import ReportPart
from tumble.app.rescue.report_dialog import ReportDialog
from tumble.app.session.history import Bookmark, Cut
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.physics.files import home

log = logging.getLogger(__name__)

SECONDS = 30.0  # simulated time of which a bundle has a replay
PATIENCE = 5000  # time in which the simulation must have said what happened [ms]: it may be what has failed
CLOSING = 10.0  # time for a bundle that is being written when the window closes [s]
REPLAY = f"last{SUFFIX}"
WAITING = "Collecting the last seconds\N{HORIZONTAL ELLIPSIS}"
SAVING = "Saving\N{HORIZONTAL ELLIPSIS}"
View = Callable[[], dict[str, Any]]  # what a replay says of the view: `view_state.describe`


class Reporter(QObject):
    """Bundles of one window, one at a time."""

    said = pyqtSignal(str)  # a passing remark

    def __init__(
        self, window: QWidget, session: Session, viewport: Viewport, view: View, relay: LogRelay, store: Settings
    ) -> None:
        """view: what a replay says of the view."""
        super().__init__(window)
        self._describe = view
        self._window, self._session, self._viewport, self._relay, self._store = window, session, viewport, relay, store
        self.dialog: ReportDialog | None = None
        self._serial = 0
        self._background = Background("report", self)

    def ask(self, error: str = "", more: Sequence[ReportPart] = ()) -> None:
        """Show what a bundle would have, and save it if the user agrees; error: what went wrong, with its traceback."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        self._serial += 1
        dialog, serial = ReportDialog(self._window), self._serial
        dialog.finished.connect(self._forget)
        dialog.saved.connect(self._save)
        dialog.add([*self._parts(error), *more])
        self.dialog = dialog
        dialog.set_waiting(WAITING)
        dialog.show()
        view, marks = self._describe(), list(self._session.history.bookmarks)
        self._session.history.cut(lambda cut: self._pack(serial, cut, view, marks), SECONDS)
        QTimer.singleShot(PATIENCE, lambda: self._give_up(serial))

    def _parts(self, error: str) -> list[ReportPart]:
        """All but the replay, which takes a while."""
        session, bundle = self._session, self._session.bundle
        parts = [report.text_part("error.txt", "what went wrong, with the traceback", error)] if error else []
        parts.append(ReportPart("window.png", "a picture of the window", _png(self._window, self._viewport)))
        if bundle is not None:
            parts += report.model_parts(bundle.main, bundle.text, dict(bundle.files))
        parts += [
            report.text_part("log.txt", "the lines of the Log panel", "\n".join(self._relay.lines) + "\n"),
            report.text_part("system.txt", "versions, graphics, system, processor", self._system()),
            report.json_part("view.json", "camera and switches of the view, and which panels are open", self._view()),
        ]
        if session.model is None:
            parts.append(ReportPart(REPLAY, "", missing="no model is loaded"))
        return parts

    def _system(self) -> str:
        context = self._viewport.context()
        name = ""
        if context is not None:
            self._viewport.makeCurrent()
            name = graphics.renderer(context)
            self._viewport.doneCurrent()
        screens = (
            f"screen {screen.name()}: {screen.size().width()} x {screen.size().height()} at {screen.devicePixelRatio():g}"
            for screen in QGuiApplication.screens()
        )
        return report.system_text(name, [f"Qt platform: {QGuiApplication.platformName()}", *screens])

    def _view(self) -> dict[str, Any]:
        session = self._session
        size = self._window.size()
        found = {
            "window": [size.width(), size.height(), self._window.devicePixelRatioF()],
            "options": asdict(self._viewport.options),
            "views": self._viewport.tiles.arrangement.value,
            "paused": session.paused,
            "rate": session.rate,
            "time": None if session.snapshot is None else session.snapshot.time,
            "selection": session.selection,
        }
        return found | self._describe()

    def _pack(self, serial: int, cut: Cut | str, view: dict[str, Any], marks: list[Bookmark]) -> None:
        """In the simulation thread, which has other things to do."""
        self._background.run(lambda: _replay_part(cut, view, marks), lambda part: self._add(serial, part))

    def _give_up(self, serial: int) -> None:
        dialog = self.dialog
        if serial == self._serial and dialog is not None and not dialog.save.isEnabled() and dialog.total.text() == WAITING:
            self._add(serial, ReportPart(REPLAY, "", missing="the simulation does not answer"))

    def _add(self, serial: int, part: ReportPart) -> None:
        if serial == self._serial and self.dialog is not None:
            self.dialog.add([part])
            self.dialog.set_waiting("")

    def _save(self, parts: list[ReportPart]) -> None:
        dialog, serial, now = self.dialog, self._serial, datetime.now()
        if dialog is None:
            return
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        folder = Path(self._store.get(settings.REPORTS) or documents or home())
        wanted = str(folder / report.name_for(now))
        name, _ = QFileDialog.getSaveFileName(dialog, "Save the bundle", wanted, "Bundles (*.zip)")
        if not name:
            return
        self._store.put(settings.REPORTS, str(Path(name).parent))
        words = dialog.words.toPlainText().strip()
        if words:
            parts = [report.text_part("words.txt", "the user's description", words + "\n"), *parts]
        dialog.set_waiting(SAVING)
        path = Path(name)
        self._background.run(lambda: _write(path, parts, now), lambda problem: self._show_written(serial, str(path), problem))

    def _show_written(self, serial: int, path: str, problem: str) -> None:
        dialog = self.dialog if serial == self._serial else None
        if problem:
            log.error("the bundle was not saved: %s", problem)
            self.said.emit(f"The bundle was not saved: {problem}")
            if dialog is not None:
                dialog.set_waiting("")
                dialog.total.setText(f"Not saved: {problem}")
            return
        log.info("saved a bundle for a bug report: %s", path)
        self.said.emit(f"Saved {path}")
        if dialog is not None:
            dialog.close()

    def _forget(self) -> None:
        self.dialog = None

    def close(self) -> bool:
        """Take away the dialog, and end what is at work; whether it has ended."""
        if self.dialog is not None:
            self.dialog.close()
        return self._background.close(CLOSING)


def _replay_part(cut: Cut | str, view: dict[str, Any], marks: list[Bookmark]) -> ReportPart:
    if isinstance(cut, str):
        return ReportPart(REPLAY, "a replay of the last seconds of simulated time", missing=cut)
    about = f"a replay of the last {duration(cut.seconds)} of simulated time"
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / REPLAY
            save(cut.replay(view, marks), path)
            return ReportPart(REPLAY, about, path.read_bytes())
    except (files.FileError, OSError, MemoryError) as error:
        return ReportPart(REPLAY, about, missing=str(error) or type(error).__name__)


def _write(path: Path, parts: list[ReportPart], now: datetime) -> str:
    """Write the bundle; "" or what went wrong."""
    try:
        report.write(path, parts, now)
    except (files.FileError, OSError, MemoryError) as error:
        return str(error) or type(error).__name__
    return ""


def _png(window: QWidget, viewport: Viewport) -> bytes:
    """A picture of the window as the user sees it: Qt leaves out what is written over the view."""
    picture = window.grab()
    painter = QPainter(picture)
    corner = viewport.mapTo(window, QPoint())
    painter.drawImage(QRect(corner, viewport.size()), viewport.grabFramebuffer())
    for child in viewport.children():  # banners
        if isinstance(child, QWidget) and child.isVisible():
            child.render(painter, corner + child.pos())
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return buffer.data().data()

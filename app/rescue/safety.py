"""Safety net: errors in a dialog, bundles for bug reports, and the last state after a crash."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QFileDialog, QWidget

from tumble.app.base import files
from tumble.app.base.background import Background
from tumble.app.base.log_relay import LogRelay
from tumble.app.library import archive as archives
from tumble.app.replay.replay_file import SUFFIX, whole
from tumble.app.replay.state import ReplayError
from tumble.app.rescue.error_dialog import ErrorDesk
from tumble.app.rescue.recovery import ASIDE, Left, Recovery, take_over
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.physics.base.files import home

# Dialogs and bundles are for when something went wrong: they are imported then.
if TYPE_CHECKING:
    from tumble.app.rescue.recovery_dialog import RecoveryDialog
    from tumble.app.rescue.report import Reporter, ReportPart

log = logging.getLogger(__name__)
CLOSING = 10.0  # time for a file that is being read or written when the window closes [s]
View = Callable[[], dict[str, Any]]  # view settings for a replay: `view_flags.describe`


class Safety(QObject):
    """Of one window. desk: shows errors; reporter: bundles; recovery: the last state on disk."""

    wanted = pyqtSignal(object)  # a file that the user wants to be opened
    said = pyqtSignal(str)  # a passing remark

    def __init__(self, window: QWidget, session: Session, viewport: Viewport, view: View, relay: LogRelay) -> None:
        """view: view settings for a replay."""
        super().__init__(window)
        self._window, self._session, self._viewport, self._relay = window, session, viewport, relay
        self._view, self._store = view, session.store
        self.desk = ErrorDesk(window)
        self.desk.report = self.ask_report
        self.recovery = Recovery(session, view, session.store.folder.absolute() / "recovery", self)
        self.dialog: RecoveryDialog | None = None
        self._background = Background("left", self)
        self._closed = False
        self._going_on: Left | None = None  # the state that is being opened, or is the model that runs
        session.failed.connect(self._show_failure)
        session.model_loaded.connect(self._on_loaded)
        session.load_failed.connect(self._on_load_failed)

    @cached_property
    def reporter(self) -> Reporter:
        """Bundles for bug reports, created on first use."""
        from tumble.app.rescue.report import Reporter

        reporter = Reporter(self._window, self._session, self._viewport, self._view, self._relay, self._store)
        reporter.said.connect(self.said)
        return reporter

    def ask_report(self, error: str = "", more: Sequence[ReportPart] = ()) -> None:
        """Show the contents of a bundle, and save it if the user agrees; error: message with traceback."""
        self.reporter.ask(error, more)

    # ---- errors

    def _show_failure(self, message: str) -> None:
        """An error in the simulation thread, which has logged it."""
        trace = self._relay.trace
        own = trace.rstrip().endswith(message.partition("failed: ")[2] or message)
        self.desk.show("Something went wrong in the simulation. The window stays usable.", message, trace if own else "")

    # ---- the last state of a process that died

    def look_for_left(self) -> None:
        """Offer recovered states of processes that died, once they are read."""
        folder = self.recovery.folder
        self._background.run(lambda: take_over(folder), lambda found: self._offer(*found))

    def owns(self, path: Path) -> bool:
        """True if this is a recovery file: no model that the user has opened."""
        return path.parent == self.recovery.folder

    def title(self, path: Path) -> str:
        """Name of a file in the window's title."""
        left = self._going_on
        return f"{left.model}, as it was left" if left is not None and path == left.path else archives.short(path)

    def _offer(self, left: list[Left], damaged: list[str]) -> None:
        for line in damaged:
            log.warning("%s", line)
            self.said.emit("A recovery file is damaged, and was moved aside: the log has its name")
        number = "One file" if len(damaged) == 1 else f"{len(damaged)} files"
        note = f"{number} could not be read; what is wrong is in the log. See {self.recovery.folder / ASIDE}" if damaged else ""
        if not left:
            return
        if self._closed:
            self._release(left)
            return
        from tumble.app.rescue.recovery_dialog import RecoveryDialog

        dialog = RecoveryDialog(left, datetime.now(), self._window, note)
        dialog.go_on.connect(self._continue)
        dialog.save.connect(self._save)
        dialog.report.connect(self._report)
        dialog.finished.connect(self._end_offer)
        self.dialog = dialog
        dialog.show()

    def _end_offer(self) -> None:
        if self.dialog is not None:
            self._release(list(self.dialog.rows))
        self.dialog = None

    def _release(self, left: list[Left]) -> None:
        for one in left:
            one.release()

    def _continue(self, left: Left) -> None:
        """Open it where it was. It stays on disk until another model is opened or the window is closed."""
        self._forget_continued()
        self._going_on = left
        if self.dialog is not None:
            self.dialog.done_with(left)
        self.wanted.emit(left.path)

    def _on_loaded(self) -> None:
        left, session = self._going_on, self._session
        if left is None or session.kept is not None:
            return
        if session.path != left.path:
            self._forget_continued()  # another model was opened in its place
            return
        session.set_paused(True)
        session.history.go(session.history.end)
        self.said.emit(f"{left.model} as it was left, paused: press Space to continue")

    def _on_load_failed(self, message: str) -> None:
        path = self._session.asked
        if path is not None and self._session.loads.failure is not None and self._session.loads.failure.looks:
            self.desk.show("This model does not load", message, offer=("Open without them", partial(self._open_bare, path)))
        left = self._going_on
        if left is not None and self._session.path != left.path:
            left.release()  # files that cannot be opened are kept
            self._going_on = None

    def _open_bare(self, path: Path) -> None:
        self._session.open(path, bare=True)

    def _forget_continued(self) -> None:
        if self._going_on is not None:
            self._going_on.discard()
            self._going_on = None

    def _save(self, left: Left) -> None:
        stem = Path(left.model).stem
        wanted = str(home() / f"{stem}{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(self.dialog, "Save the replay", wanted, f"Replays (*{SUFFIX})")
        if not name:
            return
        self._set_offered(left, False)  # not twice, and not discarded in the meantime
        self._background.run(
            lambda: files.write_whole(Path(name), whole(left.path)),
            lambda nothing: self._on_saved(left, name),
            lambda why: self._on_not_saved(left, why),
            (files.FileError, ReplayError, OSError),
        )

    def _set_offered(self, left: Left, on: bool) -> None:
        row = None if self.dialog is None else self.dialog.rows.get(left)
        if row is not None:
            row.setEnabled(on)

    def _on_not_saved(self, left: Left, why: str) -> None:
        self._set_offered(left, True)
        self.desk.show("The replay was not saved", why)

    def _on_saved(self, left: Left, name: str) -> None:
        left.discard()
        self.said.emit(f"Saved {name}")
        if self.dialog is not None:
            self.dialog.done_with(left)

    def _report(self, left: Left) -> None:
        """A bundle about the process that died."""
        self._background.run(lambda: _part_about(left), lambda part: self.ask_report(left.trace, [part]))

    def close(self) -> bool:
        """The window closes: only files that the user has not decided about stay. Returns True if all threads have ended."""
        self._closed = True
        self.desk.close()
        self._background.close(CLOSING)
        if self.dialog is not None:
            self.dialog.close()
        self._forget_continued()
        reported = self.reporter.close() if "reporter" in self.__dict__ else True
        return self.recovery.close() and reported


def _part_about(left: Left) -> ReportPart:
    """Parts of a bundle about a process that died."""
    from tumble.app.rescue.report import ReportPart

    about = f"what {left.model} did before the process died, as a replay"
    try:
        return ReportPart("died.tumble", about, whole(left.path))
    except (ReplayError, OSError) as error:
        return ReportPart("died.tumble", about, missing=files.reason(error) if isinstance(error, OSError) else str(error))

"""Saving from the window, without waiting: the model as one MJCF file, compiled, or as text; the history as a replay."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtWidgets import QApplication, QWidget

from tumble import physics
from tumble.app.base import settings
from tumble.app.base.background import Background
from tumble.app.base.files import FileError
from tumble.app.editing.attribute_text import PatchError
from tumble.app.editing.edits import EditPlace, Edits, Values
from tumble.app.editing.keyframes import Keyframes
from tumble.app.editing.whole_model import WholeModel, as_it_is, contents
from tumble.app.library import unpack
from tumble.app.library.examples import is_bundled
from tumble.app.replay.bundle import LoadError
from tumble.app.replay.replay_file import SUFFIX as REPLAY_SUFFIX
from tumble.app.replay.replay_file import save
from tumble.app.replay.state import ReplayError
from tumble.app.session.history import Cut
from tumble.app.session.loader import without_text
from tumble.app.session.session import Session
from tumble.app.shell import file_choice
from tumble.app.simulation.commands import copy_state
from tumble.physics import PhysicsError
from tumble.physics.state.export.saved import SUFFIX

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel

log = logging.getLogger(__name__)

TITLE = "The model was not saved"
NOT_IN_IT = "The saved model differs from the running one"
MOST_LINES = 12  # most lines about omissions of a saved model


class ModelSaving(QObject):
    """said: status message; failed: title and error message."""

    said = pyqtSignal(str)
    failed = pyqtSignal(str, str)
    _copied = pyqtSignal(object, object)  # from the simulation thread: path, model and data or an error message

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._window = session, window
        self._background = Background("model saving", self)
        self._copied.connect(self._write)

    def ask(self) -> None:
        """Let the user choose where the model is saved."""
        path = self._session.path
        if path is None or self._session.bundle is None:
            self.said.emit("Nothing to save: open a model")
        elif reason := without_text(path, to_read=True):
            self.failed.emit(TITLE, reason)
        else:
            chosen = file_choice.model_to_save(self._window, self._session.store.get(settings.FOLDER), path)
            if chosen is not None:
                self.save(chosen)

    def save(self, output: Path) -> None:
        """Save the model as it is now."""
        if is_bundled(output):
            self.failed.emit(TITLE, f"{output} is bundled with the program and is not overwritten: choose another folder")
            return
        self._session.send(copy_state(lambda copied: self._copied.emit(output, copied)))

    def _write(self, output: Path, copied: tuple[MjModel, MjData] | str) -> None:
        session = self._session
        path, bundle = session.path, session.bundle
        if isinstance(copied, str) or path is None or bundle is None:
            self.failed.emit(TITLE, copied if isinstance(copied, str) else "There is no model")
            return
        changes, keyframes = session.part(Edits).changes(), session.part(Keyframes)
        keys = ([*keyframes.known], keyframes.wanted()) if keyframes.waiting else None
        leaves = is_bundled(path) or unpack.folder_of(path) is not None  # the program may be gone, or the cache be cleared
        along = contents(path, bundle) if leaves else None

        def work() -> WholeModel:
            result = as_it_is(path, output, copied[0], changes, keys, along)
            result.save(output)
            return result

        self.said.emit(f"Saving {output}…")
        self._background.run(
            work, lambda result: self._tell(output, result, changes), lambda why: self.failed.emit(TITLE, why),
            (PatchError, LoadError, FileError),
        )  # fmt: skip

    def _tell(self, output: Path, made: WholeModel, changes: dict[EditPlace, tuple[Values, Values]]) -> None:
        also = f" with {len(made.assets)} files of its assets" if made.assets else ""
        self.said.emit(f"Saved {output}{also}")
        if not made.left:
            edits = self._session.part(Edits)
            if edits.changes() == changes:  # nothing has changed since
                edits.copied(changes)
            self._session.part(Keyframes).copied()
        log.info("saved the model as %s", output)
        if made.left:
            lines = "\n".join(made.left[:MOST_LINES])
            more = f"\nand {len(made.left) - MOST_LINES} more" if len(made.left) > MOST_LINES else ""
            self.failed.emit(NOT_IN_IT, f"{output} was saved, but differs from the running model:\n{lines}{more}")


class ExportForm(Struct, frozen=True):
    """title of the dialog; suffix of the name that is offered; pattern: of files; write: (model, data, file name)."""

    title: str
    suffix: str
    pattern: str
    write: Callable[[MjModel, MjData, str], None]


FORMS = {
    "print_model": ExportForm("Print the model", "-model.txt", "Text (*.txt)", lambda m, d, name: physics.mj_printModel(m, name)),
    "print_data": ExportForm("Print the data", "-data.txt", "Text (*.txt)", lambda m, d, name: physics.mj_printData(m, d, name)),
    "save_binary": ExportForm("Save the compiled model", SUFFIX, f"Compiled models (*{SUFFIX})",
                              lambda m, d, name: physics.mj_saveModel(m, name)),
}  # fmt: skip


class ModelExports:
    """Asks for a path, copies model and data between two steps, and writes them in the background."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._background = Background("export", session)

    def ask(self, form: str) -> None:
        """Let the user choose a file. form: a key of FORMS."""
        session, wanted = self._session, FORMS[form]
        if session.model is None:
            session.status.emit("Nothing to save: open a model")
            return
        offered = f"{session.path.stem if session.path is not None else 'model'}{wanted.suffix}"
        folder, parent = session.store.get(settings.FOLDER), QApplication.activeWindow()
        if (path := file_choice.to_save(parent, wanted.title, folder, offered, wanted.pattern)) is not None:
            session.send(copy_state(partial(self._write, wanted, str(path))))

    def _write(self, form: ExportForm, name: str, copied: tuple[MjModel, MjData] | str) -> None:
        """Called in the simulation thread."""
        say = self._session.status.emit

        def write() -> None:
            if isinstance(copied, str):
                raise PhysicsError(copied)
            form.write(*copied, name)

        self._background.run(
            write, lambda done: say(f"Saved {name}"), lambda why: say(f"{name} is not saved: {why}"), (OSError, PhysicsError)
        )


PATIENCE = 60.0  # for a file that is being written when the window closes [s]


class Replays(QObject):
    """saved: (the path, simulated time in it [s]); failed: why there is no file."""

    saved = pyqtSignal(str, float)
    failed = pyqtSignal(str)
    _cut = pyqtSignal(object, object, object)  # from the simulation thread: path, view, cut

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._history = session.history
        self._background = Background("replay", self)
        self._cut.connect(self._write)

    def save(self, path: Path, view: dict[str, Any], seconds: float | None = None) -> None:
        """Write what happened in the last seconds [s], None: the whole history; view: from `view_flags.describe`."""
        target = path if path.suffix.lower() == REPLAY_SUFFIX else path.with_name(path.name + REPLAY_SUFFIX)
        self._history.cut(lambda cut: self._cut.emit(target, view, cut), seconds)

    def close(self) -> bool:
        """Wait until the running save has ended; returns its success."""
        return self._background.close(PATIENCE)

    def _write(self, path: Path, view: dict[str, Any], cut: Cut | str) -> None:
        if isinstance(cut, str):
            self.failed.emit(f"{path}: {cut}")
            return
        replay = cut.replay(view, self._history.bookmarks)
        self._background.run(
            lambda: save(replay, path),
            lambda _: self.saved.emit(str(path), cut.seconds),
            self.failed.emit,
            (FileError, ReplayError),
        )

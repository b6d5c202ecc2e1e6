"""Model and data in other forms, as `simulate` writes them: as text, and compiled."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtWidgets import QApplication, QFileDialog

from tumble import physics
from tumble.app.base.background import Background
from tumble.app.base.settings import FOLDER
from tumble.app.session.session import Session
from tumble.app.simulation.commands import copy_state
from tumble.physics import PhysicsError
from tumble.physics.base.files import home
from tumble.physics.state.export.saved import SUFFIX

if TYPE_CHECKING:
    from tumble.physics import MjData, MjModel


class ExportForm(Struct, frozen=True):
    """title of the dialog; suffix of the name that is offered; pattern: of files; write: (model, data, file name)."""

    title: str
    suffix: str
    pattern: str
    write: Callable[[MjModel, MjData, str], None]


FORMS = {
    "print_model": ExportForm("Print the model", "-model.txt", "Text (*.txt)", lambda m, d, name: physics.mj_printModel(m, name)),
    "print_data": ExportForm("Print the data", "-data.txt", "Text (*.txt)", physics.mj_printData),
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
        stem = session.path.stem if session.path is not None else "model"
        offered = Path(session.store.get(FOLDER) or str(home())) / f"{stem}{wanted.suffix}"
        name, _ = QFileDialog.getSaveFileName(QApplication.activeWindow(), wanted.title, str(offered), wanted.pattern)
        if name:
            session.send(copy_state(partial(self._write, wanted, name)))

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

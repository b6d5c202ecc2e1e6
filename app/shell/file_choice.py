"""Choosing what to open and where to save: file dialogs, drops, the library, one of several models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from PyQt6.QtCore import QMimeData, QObject, Qt, pyqtSignal
from PyQt6.QtGui import QIcon
from PyQt6.QtWidgets import QFileDialog, QInputDialog, QListView, QPushButton, QWidget

from tumble.app.replay.replay_file import SUFFIX
from tumble.app.session.loader import SUFFIXES
from tumble.app.session.requests import OpenStudy
from tumble.app.session.session import Session
from tumble.app.simulation.controller_file import SUFFIX as CONTROLLER_SUFFIX
from tumble.physics.base.files import home

if TYPE_CHECKING:
    from tumble.app.library.library_dialog import LibraryDialog

def model_to_open(parent: QWidget, folder: str) -> Path | None:
    """A model, an archive of models, a compiled model, a replay or a study."""
    patterns = " ".join(f"*{suffix}" for suffix in (*SUFFIXES, OpenStudy.suffix))
    return _to_open(parent, "Open a model", folder, f"Models, archives, replays and studies ({patterns});;All files (*)")


def controller_to_run(parent: QWidget, folder: str) -> Path | None:
    """A controller's file."""
    return _to_open(parent, "Run a controller", folder, f"Python files (*{CONTROLLER_SUFFIX})")


def controller_to_create(parent: QWidget, folder: str, model: Path) -> Path | None:
    """Path for a new controller of this model."""
    pattern = f"Python files (*{CONTROLLER_SUFFIX})"
    return to_save(parent, "New controller", folder, f"{model.stem}_controller{CONTROLLER_SUFFIX}", pattern, CONTROLLER_SUFFIX)


def replay_to_save(parent: QWidget, folder: str, model: Path) -> Path | None:
    """Path for a replay of this model; the suggested name has the date."""
    name = f"{model.stem}-{datetime.now():%Y%m%d-%H%M%S}{SUFFIX}"
    return to_save(parent, "Save the history", folder, name, f"Replays (*{SUFFIX})")


def model_to_save(parent: QWidget, folder: str, model: Path) -> Path | None:
    """Path for the whole text of this model."""
    return to_save(parent, "Save as MJCF", folder, f"{model.stem}-saved.xml", "MJCF models (*.xml *.mjcf)", ".xml", ".mjcf")


def _to_open(parent: QWidget, title: str, folder: str, pattern: str) -> Path | None:
    name, _ = QFileDialog.getOpenFileName(parent, title, folder or str(home()), pattern)
    return Path(name) if name else None


def to_save(parent: QWidget | None, title: str, folder: str, offered: str, pattern: str, *suffixes: str) -> Path | None:
    """Path for a file, for which a name is offered; suffixes: it gets the first unless it has one of them."""
    name, _ = QFileDialog.getSaveFileName(parent, title, str(Path(folder or str(home())) / offered), pattern)
    if not name:
        return None
    path = Path(name)
    return path.with_name(path.name + suffixes[0]) if suffixes and path.suffix.lower() not in suffixes else path


NAMED = 3  # so many of the files that are not opened are named


def local_files(mime: QMimeData | None) -> list[Path]:
    """The local files and folders of a drag."""
    if mime is None or not mime.hasUrls():
        return []
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]


class DropChoice(Struct, frozen=True):
    """Choice among dropped files: a model, a controller for it, and a remark on the others."""

    model: Path | None = None
    controller: Path | None = None
    remark: str = ""


def choose(paths: list[Path]) -> DropChoice:
    """The first Python file is the controller; the model is the first file of its kind, else the first of the others."""
    if not paths:
        return DropChoice(remark="Nothing to open: only files on this computer can be dropped.")
    controllers = [path for path in paths if path.suffix.lower() == CONTROLLER_SUFFIX and not path.is_dir()]
    others = [path for path in paths if path not in controllers]
    models = [path for path in others if path.suffix.lower() in SUFFIXES] or others
    taken = [files[0] for files in (models, controllers) if files]
    rest = [path for path in paths if path not in taken]
    more = f" and {len(rest) - NAMED} more" if len(rest) > NAMED else ""
    named = ", ".join(path.name for path in rest[:NAMED]) + more
    opened = " and ".join(path.name for path in taken)
    remark = f"Opened {opened}; one model runs at a time, with one controller, not opened: {named}" if rest else ""
    return DropChoice(models[0] if models else None, controllers[0] if controllers else None, remark)


class MemberChoice(QInputDialog):
    """A non-modal dialog that opens the chosen model."""

    def __init__(self, path: Path, choices: Mapping[str, Path], open_path: Callable[[Path], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open one of several models")
        self.setLabelText(f"{path.name} holds {len(choices)} models. Which one?")
        self.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems)
        self.setComboBoxItems(list(choices))
        self.setTextValue(next(iter(choices)))
        self.setOkButtonText("Open")
        for button in self.findChildren(QPushButton):
            button.setIcon(QIcon())  # as elsewhere in the window
        self.resize(420, 380)
        for names in self.findChildren(QListView):
            names.doubleClicked.connect(self.accept)
        self.textValueSelected.connect(lambda name: open_path(choices[name]))


class LibraryDesk(QObject):
    """wanted: open this model."""

    wanted = pyqtSignal(object)  # Path

    def __init__(self, session: Session, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._store, self._window = session, session.store, window
        self.dialog: LibraryDialog | None = None
        self.choice: MemberChoice | None = None
        session.load_failed.connect(self._ask_member)

    def show(self) -> None:
        """Show all models that are known by name."""
        if self.dialog is None:
            from tumble.app.library.library_dialog import LibraryDialog

            self.dialog = LibraryDialog(self._store, self._window)
            self.dialog.wanted.connect(self.wanted)
        self.dialog.appear()

    def close(self) -> bool:
        """The window closes. Returns True if all threads have ended."""
        return self.dialog is None or self.dialog.end()

    def _ask_member(self) -> None:
        """If a folder or an archive contains several models, ask which to open."""
        path, error = self._session.asked, self._session.loads.failure
        if path is not None and error is not None and error.choices:
            self.choice = MemberChoice(path, error.choices, self.wanted.emit, self._window)
            self.choice.show()

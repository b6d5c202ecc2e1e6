"""A bundle for a bug report: gathered from the window, shown, and written as one zip of plain data once the user agrees."""

from __future__ import annotations

import importlib.metadata
import io
import json
import logging
import os
import platform
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from PyQt6.QtCore import (
    PYQT_VERSION_STR,
    QBuffer,
    QByteArray,
    QIODevice,
    QObject,
    QPoint,
    QRect,
    QSize,
    QStandardPaths,
    Qt,
    pyqtSignal,
    qVersion,
)
from PyQt6.QtGui import QGuiApplication, QPainter, QPixmap
from PyQt6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from tumble import __version__
from tumble.app.base import files, settings
from tumble.app.base.background import Background
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import Settings
from tumble.app.describe.numbers import duration
from tumble.app.look import theme
from tumble.app.replay.replay_file import SUFFIX, save
from tumble.app.replay.replay_view import Bookmark
from tumble.app.rescue import graphics
from tumble.app.session.history import Cut
from tumble.app.session.session import Session
from tumble.app.viewport.widget import Viewport
from tumble.physics.base.files import home
from tumble.physics.base.system import processor

log = logging.getLogger(__name__)

SECONDS = 30.0  # simulated time of which a bundle has a replay
CLOSING = 10.0  # time for a bundle that is being written when the window closes [s]
REPLAY = f"last{SUFFIX}"
NO_ANSWER = "the simulation has not answered"  # this may be what failed
MOST_SHOWN = 100_000  # letters of a text
NOTE = "The file stays on this computer until you send it. It contains only data, nothing that runs. Untick what to leave out."
ROLE = Qt.ItemDataRole.UserRole
View = Callable[[], dict[str, Any]]  # view settings for a replay: `view_flags.describe`
INDEX = "README.txt"
PACKAGES = ("numpy", "numba", "llvmlite", "moderngl", "PyQt6", "pyqtgraph", "Pillow")
_TEXTS = (".txt", ".json", ".xml", ".mjcf", ".csv")
_ABOUT = """A bundle for a bug report, made by Tumble {version} on {date}.

It holds data only, and nothing that runs. What is in it:

{contents}
"""


class ReportPart(Struct, frozen=True):
    """A file of the bundle, or a missing one: name; about: its description; data; missing: the reason."""

    name: str
    about: str
    data: bytes = b""
    missing: str = ""

    @property
    def is_text(self) -> bool:
        """True if it is readable text."""
        return self.name.lower().endswith(_TEXTS)


def name_for(now: datetime) -> str:
    """Name of a bundle made now."""
    return f"tumble-report-{now:%Y%m%d-%H%M%S}.zip"


def text_part(name: str, about: str, text: str) -> ReportPart:
    """A text; the user's folder is replaced by `~`, which hides the user's name."""
    return ReportPart(name, about, without_home(text).encode())


def json_part(name: str, about: str, value: object) -> ReportPart:
    """Numbers and words with names."""
    return text_part(name, about, json.dumps(value, indent=1, sort_keys=True, default=str))


def without_home(text: str, folder: Path | None = None) -> str:
    """The text with `~` for the folder of the user."""
    name = str(folder or home()).rstrip("/\\")
    return re.sub(rf"{re.escape(name)}(?=[/\\\s'\":,)]|$)", "~", text) if len(name) > 1 else text


def model_parts(main: str, text: bytes, others: dict[str, bytes]) -> list[ReportPart]:
    """The files of a model, in the folder `model`; a name that leads out of its folder leads to `model/elsewhere`."""
    named = {main: (text, "the model")} | {name: (data, "a file of the model") for name, data in others.items()}
    return [ReportPart(f"model/{_inside(name)}", about, data) for name, (data, about) in named.items()]


def _inside(name: str) -> str:
    """A path within a zip for a file that may be anywhere."""
    path = PurePosixPath(name.replace("\\", "/"))
    clean = [re.sub(r'[\x00-\x1f:*?"<>|]', "_", part) for part in path.parts if part not in ("/", ".", "..")]
    astray = path.is_absolute() or ".." in path.parts or re.match(r"^[A-Za-z]:", name)
    return "/".join((["elsewhere", clean[-1]] if astray else clean) if clean else ["unnamed"])


def system_text(graphics: str, more: Sequence[str] = ()) -> str:
    """Versions and the machine, a line each; graphics: the renderer that draws."""
    lines = [
        f"Tumble {__version__}{' (frozen)' if getattr(sys, 'frozen', False) else ''}",
        f"Python {platform.python_version()} ({platform.python_implementation()}, {platform.machine()})",
        f"Qt {qVersion()}, PyQt {PYQT_VERSION_STR}",
        *(f"{name} {_version(name)}" for name in PACKAGES),
        f"OpenGL renderer: {graphics or 'none'}",
        f"system: {_system()}",
        f"processor: {processor()}, {os.cpu_count()} threads",
    ]
    return "\n".join([*lines, *more]) + "\n"


def write(path: Path, parts: Sequence[ReportPart], now: datetime) -> None:
    """Write the bundle, whole or not at all. Raises FileError."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_dated(INDEX, now), contents(parts, now))
        taken = {INDEX}
        for part in parts:
            if not part.missing:
                archive.writestr(_dated(_unique(part.name, taken), now), part.data)
    files.write_whole(path, buffer.getvalue())


def _dated(name: str, now: datetime) -> zipfile.ZipInfo:
    """A member of the bundle. An unset clock gives 1970, which zip archives cannot hold."""
    info = zipfile.ZipInfo(name, max(now, datetime(1980, 1, 1)).timetuple()[:6])
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def contents(parts: Sequence[ReportPart], now: datetime) -> str:
    """List of contents of the bundle and of missing files."""
    lines = [f"  {part.name}: {f'missing: {part.missing}' if part.missing else part.about}" for part in parts]
    return _ABOUT.format(version=__version__, date=f"{now:%Y-%m-%d %H:%M}", contents="\n".join(lines))


def _unique(name: str, taken: set[str]) -> str:
    stem, dot, suffix = name.rpartition(".")
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{stem}-{number}.{suffix}" if dot else f"{name}-{number}"
    taken.add(candidate)
    return candidate


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:  # a frozen build has the modules alone
        module = sys.modules.get({"Pillow": "PIL"}.get(package, package))
        return str(getattr(module, "__version__", "unknown"))


def _system() -> str:
    try:
        return f"{platform.freedesktop_os_release().get('PRETTY_NAME', '')}, {platform.platform()}"
    except OSError:
        return platform.platform()


class ReportDialog(QDialog):
    """Shown before a bundle is saved: its parts, each of which can be read and left out, and a word of the user."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Save a bundle for a bug report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(860, 520)
        self.words = QPlainTextEdit()
        self.words.setAccessibleName("What happened")
        self.words.setPlaceholderText("What did you do, what did you expect, and what happened? (optional)")
        self.words.setMaximumHeight(64)
        self.words.setTabChangesFocus(True)
        self.list = QTreeWidget()
        self.list.setAccessibleName("Files of the report")
        self.list.setHeaderLabels(["Contents", "", "Size"])
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        header = self.list.header()
        if header is not None:
            header.setStretchLastSection(False)
            header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
            header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.list.currentItemChanged.connect(lambda item, before: self._look(item))
        self.list.itemChanged.connect(lambda item, column: self._count())
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("Text of the chosen file")
        self.text.setReadOnly(True)
        self.text.setFont(theme.mono(9))
        self.picture = QLabel()
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.look = QStackedWidget()
        self.look.addWidget(self.text)
        self.look.addWidget(self.picture)
        self.total = QLabel()
        self.total.setProperty("dim", True)
        self.save = QPushButton("Save…")
        self.save.setDefault(True)
        self.cancel = QPushButton("Cancel")
        self.cancel.setAutoDefault(False)
        self.cancel.clicked.connect(self.close)
        self._lay_out()

    def _lay_out(self) -> None:
        note = QLabel(NOTE)
        note.setWordWrap(True)
        split = QSplitter(Qt.Orientation.Vertical)
        split.addWidget(self.list)
        split.addWidget(self.look)
        split.setSizes([230, 170])
        line = QHBoxLayout()
        line.addWidget(self.total)
        line.addStretch(1)
        line.addWidget(self.cancel)
        line.addWidget(self.save)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(8)
        column.addWidget(note)
        column.addWidget(self.words)
        column.addWidget(split, 1)
        column.addLayout(line)

    def add(self, parts: Sequence[ReportPart]) -> None:
        """Show more parts; one that is there already takes its place."""
        for part in parts:
            item = self._item(part.name) or QTreeWidgetItem(self.list)
            item.setData(0, ROLE, part)
            item.setText(0, part.name)
            item.setText(1, f"missing: {part.missing}" if part.missing else part.about)
            item.setToolTip(1, item.text(1))
            item.setText(2, "" if part.missing else size_words(len(part.data)))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setCheckState(0, Qt.CheckState.Unchecked if part.missing else Qt.CheckState.Checked)
            item.setDisabled(bool(part.missing))
        if self.list.currentItem() is None:
            self.list.setCurrentItem(self.list.topLevelItem(0))
        self._look(self.list.currentItem())
        self._count()

    def chosen(self) -> list[ReportPart]:
        """The ticked parts, and the missing ones, which the bundle lists."""
        parts = []
        for item in self._items():
            part: ReportPart = item.data(0, ROLE)
            if part.missing or item.checkState(0) == Qt.CheckState.Checked:
                parts.append(part)
            else:
                parts.append(ReportPart(part.name, part.about, missing="left out by the user"))
        return parts

    def _items(self) -> list[QTreeWidgetItem]:
        items = [self.list.topLevelItem(k) for k in range(self.list.topLevelItemCount())]
        return [item for item in items if item is not None]

    def _item(self, name: str) -> QTreeWidgetItem | None:
        return next((item for item in self._items() if item.text(0) == name), None)

    def _count(self) -> None:
        total = sum(len(part.data) for part in self.chosen() if not part.missing)
        self.total.setText(f"{size_words(total)} before it is packed")

    def _look(self, item: QTreeWidgetItem | None) -> None:
        part: ReportPart | None = item.data(0, ROLE) if item is not None else None
        if part is not None and part.name.endswith(".png"):
            pixmap = QPixmap()
            pixmap.loadFromData(QByteArray(part.data))
            room = self.look.size().boundedTo(QSize(820, 400)).expandedTo(QSize(64, 64))
            self.picture.setPixmap(
                pixmap.scaled(room, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
            )
            self.look.setCurrentWidget(self.picture)
            return
        if part is None or part.missing:
            text = "" if part is None else part.missing
        elif part.is_text:
            text = part.data.decode(errors="replace")[:MOST_SHOWN]
        else:
            text = f"{part.about}: {size_words(len(part.data))}, not shown here"
        self.text.setPlainText(text)
        self.look.setCurrentWidget(self.text)


class Reporter(QObject):
    """Bundles of one window, one at a time."""

    said = pyqtSignal(str)  # a passing remark

    def __init__(
        self, window: QWidget, session: Session, viewport: Viewport, view: View, relay: LogRelay, store: Settings
    ) -> None:
        """view: view settings for a replay."""
        super().__init__(window)
        self._describe = view
        self._window, self._session, self._viewport, self._relay, self._store = window, session, viewport, relay, store
        self.dialog: ReportDialog | None = None
        self._background = Background("report", self)

    def ask(self, error: str = "", more: Sequence[ReportPart] = ()) -> None:
        """Show the contents of a bundle, and save it if the user agrees; error: message with traceback."""
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
            return
        dialog = self.dialog = ReportDialog(self._window)
        dialog.finished.connect(self._forget)
        dialog.save.clicked.connect(lambda: self._save(dialog))
        dialog.add([*self._parts(error), *more, ReportPart(REPLAY, "", missing=NO_ANSWER)])
        dialog.show()
        view, marks = self._describe(), list(self._session.history.bookmarks)

        def pack(cut: Cut | str) -> None:  # in the simulation thread, which has other things to do
            self._background.run(lambda: _replay_part(cut, view, marks), lambda part: self._add(dialog, part))

        self._session.history.cut(pack, SECONDS)

    def _parts(self, error: str) -> list[ReportPart]:
        """All but the replay, which takes a while."""
        bundle = self._session.bundle
        parts = [text_part("error.txt", "what went wrong, with the traceback", error)] if error else []
        parts.append(ReportPart("window.png", "a picture of the window", _png(self._window, self._viewport)))
        if bundle is not None:
            parts += model_parts(bundle.main, bundle.text, dict(bundle.files))
        return [
            *parts,
            text_part("log.txt", "the lines of the Log panel", "\n".join(self._relay.lines) + "\n"),
            text_part("system.txt", "versions, graphics, system, processor", self._system()),
            json_part("view.json", "camera and switches of the view, and which panels are open", self._view()),
        ]

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
        return system_text(name, [f"Qt platform: {QGuiApplication.platformName()}", *screens])

    def _view(self) -> dict[str, Any]:
        session = self._session
        size = self._window.size()
        view = {
            "window": [size.width(), size.height(), self._window.devicePixelRatioF()],
            "options": asdict(self._viewport.options),
            "views": self._viewport.tiles.arrangement.value,
            "paused": session.paused,
            "rate": session.rate,
            "time": None if session.snapshot is None else session.snapshot.time,
            "selection": session.selection,
        }
        return view | self._describe()

    def _add(self, dialog: ReportDialog, part: ReportPart) -> None:
        if dialog is self.dialog:
            dialog.add([part])

    def _save(self, dialog: ReportDialog) -> None:
        now = datetime.now()
        documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        folder = Path(self._store.get(settings.REPORTS) or documents or home())
        name, _ = QFileDialog.getSaveFileName(dialog, "Save the bundle", str(folder / name_for(now)), "Bundles (*.zip)")
        if not name:
            return
        path, parts = Path(name), dialog.chosen()
        self._store.put(settings.REPORTS, str(path.parent))
        if words := dialog.words.toPlainText().strip():
            parts.insert(0, text_part("words.txt", "the user's description", words + "\n"))
        dialog.save.setEnabled(False)
        dialog.total.setText("Saving\N{HORIZONTAL ELLIPSIS}")
        self._background.run(
            lambda: write(path, parts, now),
            lambda nothing: self._on_saved(dialog, path),
            lambda problem: self._on_not_saved(dialog, problem),
            (files.FileError, OSError, MemoryError),
        )

    def _on_saved(self, dialog: ReportDialog, path: Path) -> None:
        log.info("saved a bundle for a bug report: %s", path)
        self.said.emit(f"Saved {path}")
        if dialog is self.dialog:
            dialog.close()

    def _on_not_saved(self, dialog: ReportDialog, problem: str) -> None:
        log.error("the bundle was not saved: %s", problem)
        self.said.emit(f"The bundle was not saved: {problem}")
        if dialog is self.dialog:
            dialog.save.setEnabled(True)
            dialog.total.setText(f"Not saved: {problem}")

    def _forget(self) -> None:
        self.dialog = None

    def close(self) -> bool:
        """Remove the dialog, and stop its task; returns True if it has ended."""
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


def _png(window: QWidget, viewport: Viewport) -> bytes:
    """A picture of the window as the user sees it: Qt leaves out the view's overlay."""
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


def size_words(count: int) -> str:
    """A number of bytes for reading."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1e3:.1f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"

"""Help, Reading the seeds: the page, with a list of its sections, and an example program beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PyQt6.QtCore import QByteArray, QSize, Qt, QUrl
from PyQt6.QtGui import QCloseEvent, QDesktopServices, QTextCharFormat, QTextCursor, QTextDocument, QTextLength, QTextTable
from PyQt6.QtWidgets import QComboBox, QDialog, QSplitter, QTextBrowser

from tumble.app.look import theme
from tumble.app.shell.reading.page import DOCS, FIRST, linked, place_of
from tumble.app.shell.reading.places import Places
from tumble.app.shell.reading.program_view import ProgramView
from tumble.app.widgets.layout import hbox, make_button, present, vbox

if TYPE_CHECKING:
    from pathlib import Path

    from PyQt6.QtWidgets import QMainWindow

    from tumble.app.widgets.dock import Dock

SIZE = QSize(860, 760)
WITH_PROGRAM = 1400  # width with a program beside the page [px], where the screen has as much
COLUMNS = (21, 29, 50)  # of tables with three columns [%]
DEEPEST = 3  # of the headings in the list of sections


class PageBrowser(QTextBrowser):
    """Shows pages of docs/, with links to the places of a window."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places
        self.setOpenLinks(False)
        self.setAccessibleName("Page")

    def loadResource(self, kind: int, name: QUrl) -> object:
        """Text of a page; pictures as they are."""
        path = DOCS / name.path()
        if path.suffix != ".md":
            return QByteArray(path.read_bytes()) if path.is_file() else QByteArray()
        return linked(path.read_text("utf-8"), self._places.knows)

    def turn_to_page(self, url: QUrl) -> None:
        """Show a page of docs/."""
        self.setSource(url, QTextDocument.ResourceType.MarkdownResource)

    def lay_out(self) -> None:
        """Give all tables the same columns, and code its font."""
        document = present(self.document())
        line = self.palette().color(self.palette().ColorRole.Mid)
        for frame in present(document.rootFrame()).childFrames():
            if isinstance(frame, QTextTable):
                look = frame.format().toTableFormat()
                look.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
                if frame.columns() == len(COLUMNS):
                    shares = [QTextLength(QTextLength.Type.PercentageLength, share) for share in COLUMNS]
                    look.setColumnWidthConstraints(shares)
                look.setCellPadding(4)
                look.setBorderBrush(line)
                look.setBorderCollapse(True)
                look.setBottomMargin(10)
                frame.setFormat(look)
        cursor = QTextCursor(document)
        code = QTextCharFormat()
        code.setFontFamilies([theme.mono().family()])
        for start, end in self._code():
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.mergeCharFormat(code)

    def _code(self) -> list[tuple[int, int]]:
        """Start and end of each piece of code."""
        found = []
        block = present(self.document()).begin()
        while block.isValid():
            pieces = block.begin()
            while not pieces.atEnd():
                piece = pieces.fragment()
                if piece.charFormat().fontFixedPitch():
                    found.append((piece.position(), piece.position() + piece.length()))
                pieces += 1
            block = block.next()
        return found

    def headings(self) -> list[tuple[int, str, int]]:
        """Level, text and position of each heading."""
        found = []
        block = present(self.document()).begin()
        while block.isValid():
            level = block.blockFormat().headingLevel()
            if 0 < level <= DEEPEST:
                found.append((level, block.text(), block.position()))
            block = block.next()
        return found

    def turn_to(self, position: int) -> None:
        """Scroll so that the text at a position is at the top."""
        cursor = QTextCursor(present(self.document()))
        cursor.setPosition(position)
        bar = present(self.verticalScrollBar())
        bar.setValue(bar.value() + self.cursorRect(cursor).top() - 8)


class ReadingWindow(QDialog):
    """A window of its own beside the main one, which it steers: a click on a name goes to its place."""

    def __init__(self, window: QMainWindow, docks: list[Dock], open_path: Callable[[Path], object]) -> None:
        super().__init__(window)
        self.setWindowTitle("Reading the seeds")
        self.places = Places(window, docks, open_path)
        self.page = PageBrowser(self.places)
        self.page.anchorClicked.connect(self._follow)
        self.page.sourceChanged.connect(self._list_sections)
        self.sections = QComboBox()
        self.sections.setAccessibleName("Sections")
        self.sections.activated.connect(lambda index: self.page.turn_to(self.sections.itemData(index)))
        self.back = make_button("&Back", "To the page before", self.page.backward, enabled=False)
        self.page.backwardAvailable.connect(self.back.setEnabled)
        self.program = ProgramView()
        self.program.hide()
        both = QSplitter(Qt.Orientation.Horizontal)
        both.setChildrenCollapsible(False)
        both.addWidget(self.page)
        both.addWidget(self.program)
        both.setStretchFactor(0, 3)
        both.setStretchFactor(1, 2)
        vbox(hbox(self.back, (self.sections, 1)), (both, 1), margins=(10, 10, 10, 10), inside=self)
        self.resize(SIZE)

    def appear(self) -> None:
        """Show it, in front, as it was left."""
        if self.page.source().isEmpty():
            self.page.turn_to_page(QUrl(FIRST))
        self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """End the program that runs beside the page."""
        self.program.stop()
        super().closeEvent(event)

    def reject(self) -> None:
        """Close: by Escape, too."""
        self.program.stop()
        super().reject()

    def _list_sections(self) -> None:
        self.page.lay_out()
        self.sections.clear()
        for level, text, position in self.page.headings():
            self.sections.addItem("    " * (level - 1) + text, position)

    def _follow(self, url: QUrl) -> None:
        name = place_of(url.toString(QUrl.ComponentFormattingOption.FullyEncoded))
        if name.endswith(".py"):
            self._show_program(name)
        elif name:
            self.places.go(name)
        elif url.scheme() in ("http", "https"):
            QDesktopServices.openUrl(url)
        elif (DOCS / url.path()).is_file():
            self.page.turn_to_page(QUrl(url.path()))

    def _show_program(self, name: str) -> None:
        if not self.program.isVisible():
            room = present(self.screen()).availableGeometry()
            frame = self.frameGeometry().width() - self.width()
            wide = min(round(theme.scale() * WITH_PROGRAM), room.width() - frame)
            self.resize(max(self.width(), wide), self.height())
            self.move(max(room.left(), min(self.x(), room.right() - self.width() - frame)), self.y())
        self.program.show_program(name)

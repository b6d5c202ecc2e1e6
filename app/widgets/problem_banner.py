"""A banner over the view: a message as a title and a few lines, and buttons with remedies."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from html import escape
from types import MappingProxyType

from msgspec import Struct
from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from tumble.app.look import theme
from tumble.app.widgets.layout import hbox, make_button, present, vbox
from tumble.app.widgets.scroll_area import SteadyScrollArea

MARGIN = 12  # pixels to the edges of the view
NO_LINKS: Mapping[int, Callable[[], object]] = MappingProxyType({})
MOST_LINES = 8  # of the message: longer ones scroll


class Remedy(Struct, frozen=True):
    """A button: text, tip, action, and whether the banner closes then."""

    text: str
    tip: str
    act: Callable[[], object]
    closes: bool = True


def _linked(message: str, links: Mapping[int, Callable[[], object]]) -> str:
    """A message in HTML, with links at the beginnings of some lines, by their numbers."""
    colour, lines = theme.colours()["accent"], []
    for k, line in enumerate(message.splitlines()):
        place, _, rest = line.partition(" ")
        if k in links:
            name = escape(os.path.basename(place.rstrip(":")))
            lines.append(f"<a href='{k}' title='{escape(place.rstrip(':'))}' style='color:{colour}'>{name}</a> {escape(rest)}")
        else:
            lines.append(escape(line))
    return "<br>".join(lines)


class ProblemBanner(QFrame):
    """Lies over a view along its top without blocking it. closed: by the user's cross; done: by a button that mends it."""

    closed = pyqtSignal()
    done = pyqtSignal()

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self.setObjectName("problem")
        self.setAccessibleName("What happened")
        self.title, self.message = QLabel(), QLabel()
        self.title.setFont(theme.sans(10, bold=True))
        self.message.setFont(theme.mono(9))
        for label in (self.title, self.message):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.message.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByMouse
            | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.message.linkActivated.connect(lambda line: self._links[int(line)]())
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._area = SteadyScrollArea(self.message)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.cross = QToolButton()
        self.cross.setText("\N{MULTIPLICATION SIGN}")
        self.cross.setToolTip("Close (Esc)")
        self.cross.setAccessibleName("Close")
        self.cross.setAutoRaise(True)
        self.cross.clicked.connect(self.closed)
        self.buttons: list[QPushButton] = []
        self._remedies: list[Remedy] = []
        self._links: Mapping[int, Callable[[], object]] = NO_LINKS
        self._lay_out()
        self.hide()
        view.installEventFilter(self)

    def _lay_out(self) -> None:
        head = hbox((self.title, 1))
        head.addWidget(self.cross, 0, Qt.AlignmentFlag.AlignTop)
        self._line = hbox(None, spacing=8)
        vbox(head, self._area, self._line, margins=(18, 10, 10, 10), spacing=6, inside=self)

    def tell(
        self, title: str, message: str, remedies: Sequence[Remedy] = (), links: Mapping[int, Callable[[], object]] = NO_LINKS
    ) -> None:
        """Show a message, replacing the present one. links: actions for clicks on a line's place, up to its first blank."""
        self.title.setText(title)
        self._links = links
        self.message.setTextFormat(Qt.TextFormat.RichText if links else Qt.TextFormat.PlainText)
        self.message.setText(_linked(message, links) if links else message)
        if [remedy.text for remedy in remedies] != [remedy.text for remedy in self._remedies]:
            self._replace_buttons(remedies)  # else they stay: the mouse may be over one, as the same happens again and again
        self._remedies = list(remedies)
        self.show()
        self.place()
        self.raise_()

    def _replace_buttons(self, remedies: Sequence[Remedy]) -> None:
        for button in self.buttons:
            self._line.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        for i, remedy in enumerate(remedies):
            button = make_button(remedy.text, remedy.tip, lambda checked, i=i: self._act(self._remedies[i]))
            button.setAccessibleDescription(remedy.tip)
            self._line.insertWidget(i, button)
            self.buttons.append(button)

    def _act(self, remedy: Remedy) -> None:
        if remedy.closes:
            self.done.emit()
        remedy.act()

    def place(self) -> None:
        """Set the width of the view, and the height of the text."""
        if self.isHidden():
            return
        wide = max(self._view.width() - 2 * MARGIN, 120)
        inner = wide - 46
        line = self.message.fontMetrics().lineSpacing()
        needed = self.message.heightForWidth(inner) if self.message.text() else 0
        self._area.setFixedHeight(min(needed, MOST_LINES * line + 4))
        self._area.setVisible(needed > 0)
        layout = present(self.layout())
        for button in self.buttons:
            button.ensurePolished()  # new ones do not know their size yet
            button.show()
        layout.invalidate()
        layout.activate()
        tall = layout.heightForWidth(wide) if layout.hasHeightForWidth() else self.sizeHint().height()
        self.setGeometry(MARGIN, MARGIN, wide, tall)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Follow the size of the view."""
        if watched is self._view and event is not None and event.type() == QEvent.Type.Resize:
            self.place()
        return super().eventFilter(watched, event)

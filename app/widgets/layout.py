"""Layouts, plain widgets and timers of panels, each made in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from PyQt6.QtCore import QObject, QPoint, QSize, Qt, QTimer, pyqtBoundSignal
from PyQt6.QtGui import QDropEvent, QFont
from PyQt6.QtWidgets import (
    QBoxLayout,
    QCheckBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

Part = QWidget | QLayout | None
Margins = tuple[int, int, int, int]  # left, top, right, bottom [px]
Box = TypeVar("Box", bound=QBoxLayout)
Value = TypeVar("Value")


def present(value: Value | None) -> Value:
    """A part that Qt always has, such as the header of a table, though by its types it may be missing."""
    assert value is not None
    return value


def accept_copy(event: QDropEvent) -> None:
    """Accept a drag as a copy, even where a move is proposed, after which the other program may delete its file."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def vbox(
    *parts: Part | tuple[Part, int], margins: Margins | None = None, spacing: int = -1, inside: QWidget | None = None
) -> QVBoxLayout:
    """Parts below each other, each with its stretch if it has one; None: a stretch. inside: the widget laid out so."""
    return _filled(QVBoxLayout(), parts, margins, spacing, inside)


def hbox(
    *parts: Part | tuple[Part, int], margins: Margins | None = None, spacing: int = -1, inside: QWidget | None = None
) -> QHBoxLayout:
    """Parts side by side, as `vbox` has them below each other."""
    return _filled(QHBoxLayout(), parts, margins, spacing, inside)


def _filled(
    box: Box, parts: Sequence[Part | tuple[Part, int]], margins: Margins | None, spacing: int, inside: QWidget | None
) -> Box:
    if inside is not None:
        inside.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*margins)
    box.setSpacing(spacing)
    for entry in parts:
        part, stretch = entry if isinstance(entry, tuple) else (entry, 1 if entry is None else 0)
        if part is None:
            box.addStretch(stretch)
        elif isinstance(part, QLayout):
            box.addLayout(part, stretch)
        else:
            box.addWidget(part, stretch)
    return box


def make_button(
    text: str,
    tip: str = "",
    act: Callable[..., object] | pyqtBoundSignal | None = None,
    *,
    style: str = "",
    name: str = "",
    enabled: bool = True,
    by_tab: bool = False,
) -> QPushButton:
    """A button. name: for screen readers, where the text is not enough; by_tab: a click leaves the focus where it is."""
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setAccessibleName(name)
    button.setStyleSheet(style)
    button.setEnabled(enabled)
    if by_tab:
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if act is not None:
        button.clicked.connect(act)
    return button


def make_label(
    text: str = "", *, ink: str = "", wrap: bool = False, font: QFont | None = None, tip: str = "", name: str = ""
) -> QLabel:
    """A label. ink: a property by which the style sheet colours it: dim, warn or bad; name: for screen readers."""
    label = QLabel(text)
    if ink:
        label.setProperty(ink, True)
    label.setWordWrap(wrap)
    if font is not None:
        label.setFont(font)
    label.setToolTip(tip)
    label.setAccessibleName(name)
    return label


def make_check(text: str, tip: str = "", *, on: bool = False, toggled: Callable[..., object] | None = None) -> QCheckBox:
    """A check box; toggled: called with whether it is on, whoever has changed it."""
    box = QCheckBox(text)
    box.setToolTip(tip)
    box.setChecked(on)
    if toggled is not None:
        box.toggled.connect(toggled)
    return box


def set_look(widget: QWidget, name: str, on: bool) -> None:
    """Set a property by which the style sheet colours a widget that is shown already."""
    if widget.property(name) != on:
        widget.setProperty(name, on)
        style = present(widget.style())
        style.unpolish(widget)
        style.polish(widget)


def popup_menu(parent: QWidget, where: QPoint, *acts: tuple[str, Callable[[], object]]) -> None:
    """Show a menu at a place on the screen; it goes when it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for text, act in acts:
        present(menu.addAction(text)).triggered.connect(lambda checked, act=act: act())
    menu.popup(where)


def holder(layout: QLayout) -> QWidget:
    """A widget with this layout."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def silence(widget: QWidget) -> None:
    """Let a widget and its parts signal nothing any more: fields that lose the focus as they are deleted commit their text."""
    for part in (widget, *widget.findChildren(QWidget)):
        part.blockSignals(True)


def make_splitter(direction: Qt.Orientation, *parts: tuple[QWidget, int, int]) -> QSplitter:
    """Parts with their stretch and first size [px]; none of them can be made so small that it is hidden."""
    splitter = QSplitter(direction)
    splitter.setChildrenCollapsible(False)
    for place, (part, stretch, _) in enumerate(parts):
        splitter.addWidget(part)
        splitter.setStretchFactor(place, stretch)
    splitter.setSizes([size for _, _, size in parts])
    return splitter


def make_tabs(*pages: tuple[QWidget, str, str]) -> QTabWidget:
    """Pages with their titles and the tips of those."""
    tabs = QTabWidget()
    tabs.setDocumentMode(True)
    for page, title, tip in pages:
        tabs.setTabToolTip(tabs.addTab(page, title), tip)
    return tabs


class TabCorner(QWidget):
    """Widget next to the tabs; it requests all the room there, which Qt does not give by itself."""

    BESIDE = 16  # room between the tabs and it [px]

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__()
        self._tabs = tabs
        self.line = hbox(margins=(0, 0, 0, 0), inside=self)

    def sizeHint(self) -> QSize:
        """The available width."""
        bar = self._tabs.tabBar()
        used = 0 if bar is None else bar.sizeHint().width()
        return QSize(max(self._tabs.width() - used - self.BESIDE, 0), super().sizeHint().height())


def make_timer(parent: QObject, act: Callable[[], object], wait: int = 0) -> QTimer:
    """A timer that acts once each time it is started. wait: until then [ms]."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(wait)
    timer.timeout.connect(act)
    return timer

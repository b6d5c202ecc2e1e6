"""Fields of panels that leave the wheel to the scroll area; numbers that the simulation changes while they are shown."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from PyQt6.QtCore import QEvent, QObject, QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent, QWheelEvent
from PyQt6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QCompleter,
    QDoubleSpinBox,
    QSizePolicy,
    QSpinBox,
    QWidget,
)

from tumble.app.describe.numbers import span_text
from tumble.app.widgets.layout import present

DONE = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def is_held(field: QWidget) -> bool:
    """True while the user edits a field: it has the focus, or regains it with the window's."""
    if field.hasFocus():
        return True
    window = field.window()
    return QApplication.activeWindow() is None and window is not None and window.isVisible() and window.focusWidget() is field


class Calm:
    """Leaves the wheel to the panel in which a field scrolls."""

    def wheelEvent(self, event: QWheelEvent | None) -> None:
        """Pass the wheel on."""
        if event is not None:
            event.ignore()


class CalmCombo(Calm, QComboBox):
    """A combo box in a panel that scrolls."""

    def __init__(self, name: str = "", tip: str = "", entries: Iterable[tuple[str, object]] = ()) -> None:
        """name: for screen readers; tip: its name, where it is not given; entries: texts and their data."""
        super().__init__()
        self.setAccessibleName(name)
        self.setToolTip(tip or name)
        for text, data in entries:
            self.addItem(text, data)


class SearchCombo(CalmCombo):
    """Names to choose from: any part of one can be typed, to search for it."""

    def __init__(self, name: str, tip: str) -> None:
        super().__init__(name, tip)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        completer = present(self.completer())
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)


class CalmSpinBox(Calm, QSpinBox):
    """A whole number in a panel that scrolls."""


class CalmDoubleSpinBox(Calm, QDoubleSpinBox):
    """A number in a panel that scrolls."""


class SpanBox(CalmCombo):
    """Choice of how much time a plot shows: spans of simulated time [s], and all of it."""

    def __init__(self, spans: Sequence[float], first: float) -> None:
        entries = ((span_text(span), span) for span in spans)
        super().__init__(tip="Simulated time shown", entries=(*entries, ("all", math.inf)))
        self.setCurrentIndex(list(spans).index(first))

    def limits(self, first: float, last: float) -> tuple[float, float]:
        """The times at the edges of a plot that follows samples from `first` to `last` [s]."""
        span = float(self.currentData())
        if math.isinf(span):
            return first, max(last, first + 0.1)
        return max(0.0, last - span), max(last, span)


class LiveSpinBox(CalmDoubleSpinBox):
    """A number with a range that other code changes as well.

    committed: the user entered this number: Enter, leaving the field, or a step by the arrow keys. Escape reverts what was
    typed. Without buttons; the wheel is left to the panel it scrolls in.
    """

    committed = pyqtSignal(float)

    def __init__(self) -> None:
        super().__init__()
        self._live = self.value()
        self.setKeyboardTracking(False)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.valueChanged.connect(self._commit)

    def show_value(self, value: float) -> None:
        """Show the present value; while the user is in the field, only after leaving it."""
        self._live = value
        if not (is_held(self) or self._is_typed()):
            self._show_live()

    def replace(self, value: float) -> None:
        """Show a number that the user has set elsewhere, in place of typed text."""
        self._live = value
        self._show_live()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Enter commits, Escape reverts; both return the focus to the view."""
        if event is not None and event.key() in DONE:
            self._commit_typed()
            self.clearFocus()
        elif event is not None and event.key() == Qt.Key.Key_Escape:
            self._show_live()
            self.clearFocus()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Leaving it commits the typed text; switching to another program does not."""
        if not is_held(self):
            self._commit_typed()
        super().focusOutEvent(event)
        if not is_held(self):
            self._show_live()

    def _is_typed(self) -> bool:
        line = self.lineEdit()
        return line is not None and line.isModified()

    def _commit_typed(self) -> None:
        """A typed value counts even if it equals the number shown: the live one may differ."""
        if self._is_typed():
            with QSignalBlocker(self):
                self.interpretText()
            self._commit(self.value())

    def _commit(self, value: float) -> None:
        self._live = value
        line = self.lineEdit()
        if line is not None:
            line.setModified(False)
        self.committed.emit(value)

    def _show_live(self) -> None:
        with QSignalBlocker(self):
            self.setValue(self._live)  # also where only the text was another
        line = self.lineEdit()
        if line is not None:
            line.setModified(False)


class OwnKeys(QObject):
    """Keys of a widget, and their actions while it has the focus."""

    def __init__(self, widget: QWidget, acts: Mapping[Qt.Key, Callable[[], object]], *, plain: bool = False) -> None:
        """plain: with Ctrl, Shift or Alt they are not the widget's."""
        super().__init__(widget)
        self._acts = acts
        self._plain = plain
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Claim the keys before shortcuts are looked for, then act on them."""
        if not isinstance(event, QKeyEvent) or event.type() == QEvent.Type.KeyRelease:
            return False
        act = self._acts.get(Qt.Key(event.key()))
        if act is None or (self._plain and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier):
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            act()
        return True

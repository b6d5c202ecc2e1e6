"""Above the timeline: buttons and the state of the simulation; below it: what its marks mean, and the memory of the past."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from PyQt6.QtCore import QSize, Qt, pyqtSignal
from PyQt6.QtGui import QAction, QActionGroup, QResizeEvent
from PyQt6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QMenu, QSizePolicy, QToolButton, QWidget

from tumble.app.base import settings
from tumble.app.base.keys_in_text import with_keys
from tumble.app.base.settings import Settings
from tumble.app.describe.numbers import duration
from tumble.app.look import theme
from tumble.app.panels.timeline.strip import LOOKS, Move, Stand, moment, reach, stand
from tumble.app.panels.timeline.strip_view import mark_icon
from tumble.app.session.events import Event, EventKind
from tumble.app.session.history import History
from tumble.app.widgets.layout import hbox, make_button

WIDE = 760  # pixels at the usual size of text from which all is in one line
HINT = "A change here starts a new branch: the recorded steps that follow are kept as another"
BUTTONS = (
    (Move.FIRST, "first", "To the earliest moment in the history  (Home)"),
    (Move.SPOT_BEFORE, "event_before", "Previous event or bookmark  (Page Up)"),
    (Move.BACK, "back", "Step back  (Left)"),
    (Move.FORWARD, "forward", "Step forward  (Right)"),
    (Move.SPOT_AFTER, "event_after", "Next event or bookmark  (Page Down)"),
    (Move.LAST, "last", "To the newest moment  (End)"),
)


class TimeControls(QWidget):
    """moved: a Move; toggled: play or pause; marked: bookmark this moment; continued: continue from here."""

    moved = pyqtSignal(object)
    toggled = pyqtSignal()
    marked = pyqtSignal()
    continued = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.buttons: dict[Move, QToolButton] = {}
        self._dressed: tuple[Stand, bool] | None = None
        self.play = tool_button("play", "", self.toggled.emit)
        self.flag = tool_button("flag", with_keys("Bookmark this moment  (Ctrl+B)"), self.marked.emit)
        self.place, self.state = QLabel(), QLabel()
        self.place.setFont(theme.mono(10, bold=True))
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.go_on = make_button("Continue from here", act=lambda: self.continued.emit(), style="padding: 3px 10px", by_tab=True)
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        self._row.addLayout(self._make_buttons())
        self._row.addLayout(self._make_state(), 1)

    def _make_buttons(self) -> QHBoxLayout:
        line = hbox(spacing=1)
        for move, icon, tip in BUTTONS:
            self.buttons[move] = tool_button(icon, tip, partial(self.moved.emit, move))
            line.addWidget(self.buttons[move])
            if move is Move.BACK:
                line.addWidget(self.play)
        line.addSpacing(6)
        line.addWidget(self.flag)
        line.addStretch(1)
        return line

    def _make_state(self) -> QHBoxLayout:
        return hbox(self.place, (self.state, 1), self.go_on, spacing=10)

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """All in one line where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= WIDE * theme.scale()
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)

    def show_history(self, history: History, paused: bool, loaded: bool, possible: Callable[[Move], bool]) -> None:
        """Show the position of the simulation; possible: whether a move leads anywhere."""
        kind, words = stand(history, paused, loaded)
        self.place.setText(moment(history.now, history.timestep) if loaded else "")
        self.place.setToolTip(f"On {history.course}" if loaded else "")
        self.state.setText(words)
        self.state.setToolTip(f"{words}\n{HINT}" if history.now < history.end else words)  # there may be no room for the words
        runs, behind = history.playing or not paused, history.now < history.end
        if (kind, runs) != self._dressed:  # a style and an icon are dear, and this is called in every frame
            self._dressed = kind, runs
            self.state.setStyleSheet(f"color: {theme.shown(kind.value)}; font-weight: 600")
            self.play.setIcon(theme.icon("pause", "accent") if runs else theme.icon("play", "good"))
        self.play.setAccessibleName("Pause" if runs else "Play")
        self.play.setToolTip("Pause" if runs else "Replay the recording, then continue live" if behind else "Play")
        self.play.setEnabled(loaded)
        self.flag.setEnabled(loaded)
        for move, button in self.buttons.items():
            button.setEnabled(loaded and possible(move))
        self.go_on.setEnabled(behind and history.target is None)
        after = duration((history.end - history.now) * history.timestep)
        tip = f"Simulate on from here; the {after} that follow are kept as a branch" if behind else "No steps follow"
        self.go_on.setToolTip(tip)


def tool_button(icon: str, tip: str, act: Callable[[], None] | None = None) -> QToolButton:
    """A flat button that leaves the keys to the strip."""
    button = QToolButton()
    if icon:
        button.setIcon(theme.icon(icon))
        button.setIconSize(QSize(18, 18))
    button.setToolTip(tip)
    button.setAccessibleName(tip.partition("  (")[0])
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    if act is not None:
        button.clicked.connect(lambda: act())
    return button


LEGEND_WIDE, WORDY = 430, 860  # pixels at the usual size of text from which all is in one line, from which kinds have words
MEMORIES = (64, 256, 1024)  # of the history [MB]


class TimeLegend(QWidget):
    """A switch for each kind of event, and buttons. changed: visible kinds changed; all_wanted: show the whole history."""

    changed = pyqtSignal()
    all_wanted = pyqtSignal()

    def __init__(self, history: History, store: Settings) -> None:
        super().__init__()
        self._history, self._store = history, store
        self.hidden: frozenset[EventKind] = frozenset()
        self.kinds: dict[EventKind, QToolButton] = {}
        self._counts: Counter[EventKind] = Counter()
        self.all = tool_button("", "Show the whole history: the wheel zooms, the middle button moves", self.all_wanted.emit)
        self.all.setText("All")
        self.memory = tool_button("", "Memory for the history: how far back you can go")
        self.memory.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.memory.setMenu(self._make_memory())
        self._row = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(2)
        self._row.addLayout(self._make_kinds(), 1)
        line = hbox(None, self.all, self.memory, spacing=4)
        self._row.addLayout(line)

    def _make_kinds(self) -> QHBoxLayout:
        line = hbox(spacing=2)
        for kind, look in reversed(LOOKS.items()):
            chip = tool_button("", f"{look.word}: show or hide them")
            chip.setIcon(mark_icon(look))
            chip.setIconSize(QSize(14, 14))
            chip.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            chip.setCheckable(True)
            chip.setChecked(True)
            chip.toggled.connect(partial(self._show_kind, kind))
            self.kinds[kind] = chip
            line.addWidget(chip)
        line.addStretch(1)
        return line

    def _make_memory(self) -> QMenu:
        menu = QMenu(self)
        now = QAction(menu)
        now.setEnabled(False)
        menu.addAction(now)
        menu.addSeparator()
        self.memories, group = {}, QActionGroup(menu)
        for megabytes in MEMORIES:
            action = QAction(f"{megabytes} MB", menu)
            action.setCheckable(True)
            action.triggered.connect(partial(self._set_memory, megabytes))
            group.addAction(action)
            menu.addAction(action)
            self.memories[megabytes] = action
        menu.aboutToShow.connect(lambda: now.setText(reach(self._history)))
        self._show_memory()
        return menu

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Words, and all in one line, where there is room."""
        super().resizeEvent(event)
        wide = self.width() >= LEGEND_WIDE * theme.scale()
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._show_counts()

    def count(self, events: Sequence[Event]) -> None:
        """Show how many there are of each kind."""
        self._counts = Counter(event.kind for event in events)
        self._show_counts()

    def _show_counts(self) -> None:
        for kind, chip in self.kinds.items():
            word = f"{LOOKS[kind].word} " if self.width() >= WORDY * theme.scale() else ""
            chip.setText(f"{word}{self._counts[kind]}")

    def _show_kind(self, kind: EventKind, on: bool) -> None:
        self.hidden = self.hidden - {kind} if on else self.hidden | {kind}
        self.changed.emit()

    def _set_memory(self, megabytes: int) -> None:
        self._store.put(settings.HISTORY_MEMORY, megabytes)
        self._history.set_memory(megabytes)
        self._show_memory()

    def _show_memory(self) -> None:
        now = self._store.get(settings.HISTORY_MEMORY)
        self.memory.setText(f"{now} MB")
        if now in self.memories:
            self.memories[now].setChecked(True)

"""Edit, Preferences: settings and keys, with one search for both. Every change takes effect at once, and is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from msgspec import Struct
from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from tumble.app.base import settings
from tumble.app.base.plain_json import Range
from tumble.app.base.settings import Setting, Settings
from tumble.app.describe.picture_quality import AUTOMATIC, measured
from tumble.app.palette.entries import in_menus
from tumble.app.preferences.keys import KeyMap
from tumble.app.preferences.keys_page import KeyCapture, KeysPage
from tumble.app.preferences.looks import Looks
from tumble.app.session.session import Session
from tumble.app.session.trails import PastGhosts, Trails
from tumble.app.viewport.widget import Viewport
from tumble.app.widgets.live_field import CalmCombo, CalmDoubleSpinBox, CalmSpinBox
from tumble.app.widgets.scroll_area import SteadyScrollArea
from tumble.app.widgets.tables import FilterField

Value = bool | int | float | str | list[str]


class PreferenceRow(Struct, frozen=True):
    """A setting. choices: the values it can have, in words; none for a free one; unit: of a number.

    measured: setting with the value of the first choice, and its formatter;
    folder: it is the path of a folder; forget: text of the button that clears a list; late: in effect at the next start.
    """

    group: str
    title: str
    setting: Setting[Any]
    choices: tuple[tuple[str, Value], ...] = ()
    unit: str = ""
    folder: bool = False
    forget: str = ""
    late: bool = False
    measured: tuple[Setting[dict[str, Any]], Callable[[dict[str, Any]], str]] | None = None

    @property
    def tip(self) -> str:
        """Meaning of the setting, as a sentence."""
        meaning = self.setting.meaning[:1].upper() + self.setting.meaning[1:]
        return f"{meaning}; takes effect at the next start" if self.late else meaning


_SAMPLES = (("as the graphics card allows", -1), ("none", 0), ("2", 2), ("4", 4), ("8", 8))
_QUALITIES = (
    ("automatic: what this machine can draw in time", AUTOMATIC), ("plain: the fastest", "plain"),
    ("fine: smooth edges, darker corners", "fine"), ("best: soft shadows", "best"),
)  # fmt: skip
_THEMES = (("as the desktop", "system"), ("dark", "dark"), ("light", "light"))
_GHOSTS = (("the time before the present", "before"), ("the time between the first and the last bookmark", "marks"))
ROWS = (
    PreferenceRow("Appearance", "Theme", settings.THEME, _THEMES),
    PreferenceRow("Appearance", "Size of text", settings.FONT_SCALE),
    PreferenceRow("View", "Time and rate over the view", settings.SHOW_TIME),
    PreferenceRow("View", "Smooth camera moves", settings.SMOOTH_CAMERA),
    PreferenceRow("View", "Axes in the corner of the view", settings.AXES),
    PreferenceRow("View", "Quality", settings.QUALITY, _QUALITIES, measured=(settings.MEASURED_QUALITY, measured)),
    PreferenceRow("View", "Samples per pixel", settings.SAMPLES, _SAMPLES, late=True),
    PreferenceRow("View", "Hint for newcomers", settings.FIRST_SENTENCE, late=True),
    PreferenceRow("Motion", "Length of trails", settings.TRAIL_SECONDS, unit="s"),
    PreferenceRow("Motion", "Smooth slow motion", settings.SMOOTH_MOTION),
    PreferenceRow("Motion", "Range of the ghosts", settings.GHOST_RANGE, _GHOSTS),
    PreferenceRow("Motion", "Number of ghosts", settings.GHOST_NUMBER),
    PreferenceRow("Motion", "Time between ghosts", settings.GHOST_INTERVAL, unit="s"),
    PreferenceRow("Files", "Reload when a file is saved", settings.RELOAD_ON_SAVE),
    PreferenceRow("Files", "Folder of screenshots", settings.SCREENSHOTS, folder=True),
    PreferenceRow("Files", "Folder of bug reports", settings.REPORTS, folder=True),
    PreferenceRow("Files", "Text editor", settings.EDITOR),
    PreferenceRow("Files", "Recent files", settings.RECENT, forget="Forget all", late=True),
    PreferenceRow("Files", "Trusted controllers", settings.TRUSTED, forget="Forget all", late=True),
    PreferenceRow("Programs", "Control by other programs", settings.REMOTE),
    PreferenceRow("Posing", "Snap step of moves", settings.SNAP_LENGTH, unit="m"),
    PreferenceRow("Posing", "Snap step of turns", settings.SNAP_ANGLE, unit="°"),
    PreferenceRow("Time", "Memory for the history", settings.HISTORY_MEMORY, unit="MB"),
    PreferenceRow("Video", "Folder of videos", settings.VIDEOS, folder=True),
    PreferenceRow("Video", "Frames per second of a recording", settings.RECORD_FPS, unit="1/s"),
    PreferenceRow("Video", "Include overlays in recordings", settings.RECORD_PANELS),
)


class SettingsPage(SteadyScrollArea):
    """changed: a setting has another value, which is stored: its key."""

    changed = pyqtSignal(str)

    def __init__(self, store: Settings) -> None:
        super().__init__()
        self._store = store
        self.controls: dict[str, QWidget] = {}
        self._lines: dict[str, tuple[QWidget, ...]] = {}  # label, control and reset button, by key
        self._heads: dict[str, QLabel] = {}
        inner = QWidget()
        self._grid = QGridLayout()
        self._grid.setContentsMargins(10, 6, 10, 10)
        self._grid.setColumnStretch(1, 1)
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        column.addStretch(1)
        for row in ROWS:
            self._add(row)
        self.setWidget(inner)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _add(self, row: PreferenceRow) -> None:
        if row.group not in self._heads:
            self._heads[row.group] = QLabel(row.group)
            self._heads[row.group].setProperty("section", True)
            self._grid.addWidget(self._heads[row.group], self._grid.rowCount(), 0, 1, 3)
        control = self._control(row)
        label, back = QLabel(row.title), QPushButton("Reset")
        label.setBuddy(control)
        label.setToolTip(row.tip)
        control.setToolTip(row.tip)
        control.setAccessibleName(row.title)
        back.setAccessibleName(f"Reset {row.title}")
        back.setAutoDefault(False)
        back.clicked.connect(partial(self._reset, row))
        back.setVisible(not row.forget)
        at = self._grid.rowCount()
        holder = self._with_browser(row, control) if row.folder else control
        for column, widget in enumerate((label, holder, back)):
            self._grid.addWidget(widget, at, column)
        self.controls[row.setting.key] = control
        self._lines[row.setting.key] = label, holder, back
        self._show(row)

    def _control(self, row: PreferenceRow) -> QWidget:
        default = row.setting.default
        if row.forget:
            button = QPushButton(row.forget)
            button.setAutoDefault(False)
            button.clicked.connect(lambda: self._put(row, []))
            return button
        if row.choices:
            box = CalmCombo()
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)  # no text widens the page
            for text, value in row.choices:
                box.addItem(text, value)
            box.activated.connect(lambda: self._put(row, box.currentData()))
            return box
        if isinstance(default, bool):
            check = QCheckBox()
            check.toggled.connect(partial(self._put, row))
            return check
        if isinstance(default, int | float):
            return self._number(row, isinstance(default, int))
        line = QLineEdit()
        line.setMinimumHeight(26)
        line.setPlaceholderText(row.setting.meaning.partition("empty: ")[2])
        line.editingFinished.connect(lambda: self._put(row, line.text().strip()))
        return line

    def _number(self, row: PreferenceRow, whole: bool) -> QWidget:
        limits: Range = row.setting.valid
        box = CalmSpinBox() if whole else CalmDoubleSpinBox()
        if isinstance(box, QSpinBox):
            box.setRange(int(limits.low), int(limits.high))
        else:
            box.setDecimals(2 if limits.low >= 0.01 else 4 if limits.low >= 1e-4 else 5)
            box.setRange(limits.low, limits.high)
            box.setSingleStep(0.1)
        box.setSuffix(f" {row.unit}" if row.unit else "")
        box.setKeyboardTracking(False)
        box.setMinimumHeight(26)
        box.valueChanged.connect(partial(self._put, row))
        return box

    def _with_browser(self, row: PreferenceRow, control: QWidget) -> QWidget:
        holder, browse = QWidget(), QPushButton("Browse…")
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(control, 1)
        line.addWidget(browse)
        browse.setAutoDefault(False)
        browse.setAccessibleName(f"Browse: {row.title}")
        browse.clicked.connect(partial(self._browse, row))
        return holder

    # ---- values

    def refresh(self) -> None:
        """Show the stored values: other parts of the window change settings too."""
        for row in ROWS:
            self._show(row)

    def _show(self, row: PreferenceRow) -> None:
        value: Value = self._store.get(row.setting)
        control = self.controls[row.setting.key]
        with QSignalBlocker(control):
            if isinstance(control, QComboBox):
                if row.measured is not None:
                    kept, describe = row.measured
                    text = describe(self._store.get(kept))
                    control.setItemText(0, row.choices[0][0] + (f" ({text})" if text else ""))
                control.setCurrentIndex(control.findData(value))
            elif isinstance(control, QCheckBox):
                control.setChecked(bool(value))
            elif isinstance(control, QSpinBox):
                control.setValue(int(str(value)))
            elif isinstance(control, QDoubleSpinBox):
                control.setValue(float(str(value)))
            elif isinstance(control, QLineEdit):
                control.setText(str(value))
        if isinstance(value, list):
            control.setEnabled(bool(value))
        self._lines[row.setting.key][2].setEnabled(value != row.setting.default)

    def _put(self, row: PreferenceRow, value: Value) -> None:
        if value == self._store.get(row.setting):
            return
        self._store.put(row.setting, value)
        self._show(row)
        self.changed.emit(row.setting.key)

    def _reset(self, row: PreferenceRow) -> None:
        self._put(row, row.setting.default)

    def _browse(self, row: PreferenceRow) -> None:
        name = QFileDialog.getExistingDirectory(self, row.title, str(self._store.get(row.setting)))
        if name:
            self._put(row, name)

    @property
    def total(self) -> int:
        """Number of settings."""
        return len(self._lines)

    def filter(self, typed: str) -> int:
        """Show the settings with all words in title, group or meaning; returns their number."""
        words, shown_groups, count = typed.lower().split(), set(), 0
        for row in ROWS:
            widgets = self._lines[row.setting.key]
            text = f"{row.title} {row.group} {row.setting.meaning}".lower()
            shown = all(word in text for word in words)
            for widget in widgets[: 2 if row.forget else 3]:
                widget.setVisible(shown)
            if shown:
                shown_groups.add(row.group)
                count += 1
        for group, head in self._heads.items():
            head.setVisible(group in shown_groups)
        return count


# Settings that actions of the menus switch as well: by key, the setting and the action's name.
SWITCHES = {
    setting.key: (setting, name)
    for setting, name in (
        (settings.RELOAD_ON_SAVE, "reload_on_save"), (settings.SMOOTH_CAMERA, "smooth_camera"), (settings.AXES, "axes"),
        (settings.SMOOTH_MOTION, "smooth_motion"),
    )
}  # fmt: skip


class PreferencesDialog(QDialog):
    """Non-modal: changes are visible in the window at once."""

    def __init__(self, store: Settings, keys: KeyMap, groups: Mapping[str, str], parent: QWidget) -> None:
        """groups: of each action, by name, the path of its menu."""
        super().__init__(parent)
        self.setWindowTitle("Preferences")
        self.search = FilterField("Search settings and keys", "Search settings and keys", "Words of a name, a menu or a meaning")
        self.search.setMinimumHeight(28)
        self.by_key = KeyCapture("Find by key")
        self.by_key.setToolTip("Press a key to find its action")
        self.settings, self.keys = SettingsPage(store), KeysPage(keys, groups)
        self.tabs = QTabWidget()
        self.away = QPushButton("Close")
        self.away.setAutoDefault(False)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.by_key.taken.connect(self._find_key)
        self.away.clicked.connect(self.close)
        self._filter("")
        self.resize(760, 620)

    def _lay_out(self) -> None:
        top, bottom, column = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        top.addWidget(self.search, 1)
        top.addWidget(self.search.hidden)
        top.addWidget(self.by_key)
        bottom.addStretch(1)
        bottom.addWidget(self.away)
        self.tabs.addTab(self.settings, "Settings")
        self.tabs.addTab(self.keys, "Keys")
        column.setContentsMargins(12, 12, 12, 12)
        column.setSpacing(8)
        column.addLayout(top)
        column.addWidget(self.tabs, 1)
        column.addLayout(bottom)

    def appear(self) -> None:
        """Show it, in front, with the stored settings."""
        self.settings.refresh()
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus()
        self.search.selectAll()

    def _filter(self, typed: str) -> None:
        counts = self.settings.filter(typed), self.keys.filter(typed)
        self.search.show_hidden(self.settings.total + self.keys.total - sum(counts))
        for place, (title, count) in enumerate(zip(("Settings", "Keys"), counts, strict=True)):
            self.tabs.setTabText(place, f"{title} ({count})" if typed else title)
        if typed and not counts[self.tabs.currentIndex()] and max(counts):
            self.tabs.setCurrentIndex(counts.index(max(counts)))

    def _find_key(self, key: str) -> None:
        self.tabs.setCurrentWidget(self.keys)
        self.search.setText(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText))
        self.search.setFocus()


class PreferencesDesk:
    """The dialog of one window, and the immediate effects of changed settings."""

    def __init__(
        self, window: QMainWindow, session: Session, view: Viewport, keys: KeyMap, looks: Looks, control: Callable[[bool], None]
    ) -> None:
        """control: lets other programs control the window, or no longer."""
        self._session, self._view, self._keys, self._looks, self._control = session, view, keys, looks, control
        bar = window.menuBar()
        assert bar is not None
        by_action = {keys.action(name): name for name in keys.names}
        groups = {by_action[action]: path for path, action in in_menus(bar) if action in by_action}
        self.dialog = PreferencesDialog(session.store, keys, groups, window)
        self.dialog.settings.changed.connect(self._apply)

    def _apply(self, key: str) -> None:
        store = self._session.store
        if key == settings.SHOW_TIME.key:
            self._view.show_time = store.get(settings.SHOW_TIME)
            self._view.update()
        elif key == settings.QUALITY.key:
            self._view.quality.follow()
            self._view.update()
        elif key == settings.HISTORY_MEMORY.key:
            self._session.history.set_memory(store.get(settings.HISTORY_MEMORY))
        elif key in (settings.THEME.key, settings.FONT_SCALE.key):
            self._looks.follow()
        elif key == settings.REMOTE.key:
            self._control(store.get(settings.REMOTE))
        elif key == settings.TRAIL_SECONDS.key:
            self._session.part(Trails).set_seconds(store.get(settings.TRAIL_SECONDS))
        elif key in (settings.GHOST_NUMBER.key, settings.GHOST_INTERVAL.key, settings.GHOST_RANGE.key):
            self._session.part(PastGhosts).refresh()
        elif key in SWITCHES:
            setting, name = SWITCHES[key]
            self._keys.action(name).setChecked(store.get(setting))

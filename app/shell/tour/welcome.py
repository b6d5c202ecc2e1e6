"""First hints for newcomers: a sentence over the lower edge of the view, and the tour on request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QEvent, QObject, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from tumble.app.base import settings
from tumble.app.base.keys_in_text import with_keys
from tumble.app.base.settings import Settings
from tumble.app.look import theme
from tumble.app.shell.tour.steps import PullWatch

if TYPE_CHECKING:
    from tumble.app.shell.tour.guide import Guide
    from tumble.app.shell.window import ShellWindow

PRAISED = 8000  # so long the praise is seen [ms]
FIRST = with_keys("<b>Double-click</b> a body, then hold <b>Ctrl</b> and drag it ") + (
    "with the <b>right button</b>: it follows the mouse."
)
PRAISE = "Well pulled. There is more to do here:"
MARGIN = 12
CLEAR = 50  # pixels over the view's lower edge, where time and rate are
LEAST = 150  # pixels of width that the words need
SHARE = 0.25  # of the view's height that it takes at most


class Welcome(QObject):
    """Shows the first hint while its setting is on: until the user has closed it, or followed it."""

    def __init__(self, window: ShellWindow, store: Settings) -> None:
        super().__init__(window)
        self._window, self._store = window, store
        self._pulls = PullWatch()
        self.banner: Banner | None = None
        self.guide: Guide | None = None
        self.left_for_tour: Path | None = None  # file open before a tour during which the window closes
        self._praise = QTimer(self)
        self._praise.setSingleShot(True)
        self._praise.timeout.connect(self._dismiss)
        if store.get(settings.FIRST_SENTENCE):
            self._begin()
        window.installEventFilter(self)

    # ---- the first sentence

    def _begin(self) -> None:
        window = self._window
        self.banner = Banner(window.viewport)
        self.banner.closed.connect(self._dismiss)
        self.banner.tour.connect(self.take_tour)
        window.viewport.installEventFilter(self)
        window.session.model_loaded.connect(self._place)
        window.session.advanced.connect(self._watch)
        window.actions_by_name["help"].toggled.connect(self._place)

    def _watch(self) -> None:
        """Detect the first pull."""
        self._pulls.note(self._window.session.grip)
        if self._pulls.count and self.banner is not None:
            self._window.session.advanced.disconnect(self._watch)
            self._store.put(settings.FIRST_SENTENCE, False)
            self._praise.start(PRAISED)
            self._place()

    def _dismiss(self) -> None:
        """Close it permanently."""
        self._store.put(settings.FIRST_SENTENCE, False)
        self.stand_aside()

    def stand_aside(self) -> None:
        """Show no sentence in this window any more."""
        banner, self.banner = self.banner, None
        if banner is not None:
            banner.hide()
            banner.deleteLater()

    def _place(self) -> None:
        """Show or hide the hint in the view; hidden without bodies to pull, or under the tour or the help."""
        window = self._window
        if self.banner is None:
            return
        if window.session.model is None or self.guide is not None or window.actions_by_name["help"].isChecked():
            self.banner.hide()
            return
        self.banner.show_in(window.viewport.width(), window.viewport.height(), PRAISE if self._pulls.count else FIRST)

    # ---- the tour

    def take_tour(self) -> None:
        """Begin the tour; if it runs already, raise its card."""
        if self.guide is not None:
            self.guide.card.raise_()
            return
        from tumble.app.shell.tour.guide import Guide  # nothing that the first picture needs

        self.guide = Guide(self._window)
        self.guide.ended.connect(self._on_ended)
        self._place()

    def _on_ended(self) -> None:
        guide, self.guide = self.guide, None
        if guide is not None:
            guide.deleteLater()
        self._place()

    def _close_once_asked(self) -> None:
        """Changes made before the tour are in no file: their model comes back, and the window asks what to do with them."""
        window, guide = self._window, self.guide
        assert guide is not None

        def close() -> None:
            window.session.model_loaded.disconnect(close)
            if window.session.origin == guide.before.path:  # else it did not load, and another was opened
                window.close()

        guide.stop(reopen=True)
        window.session.model_loaded.connect(close)  # after the changes are made again

    def eventFilter(self, watched: QObject | None, event: QEvent | None) -> bool:
        """Follow the view's size; end the tour before the window remembers its layout and closes."""
        if event is not None:
            if event.type() == QEvent.Type.Close and watched is self._window and self.guide is not None:
                if self.guide.holds_changes:
                    self._close_once_asked()
                    event.ignore()
                    return True
                self.left_for_tour = self.guide.before.path
                self.guide.stop()
            elif event.type() == QEvent.Type.Resize and watched is not self._window:
                self._place()
        return False


class Banner(QFrame):
    """closed: the user does not want to see it again; tour: the user wants the tour.

    It takes no focus, and the mouse only on its buttons: drags and wheel events over its text go to the view.
    """

    closed = pyqtSignal()
    tour = pyqtSignal()

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.setObjectName("welcome")
        self.text = QLabel()
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.link = QPushButton("Take the tour")
        self.link.setToolTip("Two minutes, step by step, on this window; also under Help")
        self.link.setCursor(Qt.CursorShape.PointingHandCursor)
        self.link.clicked.connect(self.tour)
        self.cross = QToolButton()
        self.cross.setAccessibleName("Close")
        self.cross.setIcon(theme.icon("close"))
        self.cross.setIconSize(QSize(14, 14))
        self.cross.setToolTip("Do not show this again")
        self.cross.clicked.connect(self.closed)
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 5, 6, 5)
        line.setSpacing(8)
        line.addWidget(self.text)
        for button in (self.link, self.cross):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            line.addWidget(button)
        self.hide()

    def show_in(self, width: int, height: int, text: str) -> None:
        """Show it in a view of this size, wrapped as needed; hidden without room."""
        self.text.setText(text)
        self.text.setWordWrap(False)
        self.text.setMinimumSize(0, 0)  # else Qt requests the height of unwrapped text
        words = self.text.sizeHint()
        rest = self._fit(words)
        room = width - 2 * MARGIN - rest
        if room < LEAST:
            self.hide()
            return
        if words.width() > room:
            self.text.setWordWrap(True)
            self.text.setMinimumSize(0, 0)
            self._fit(QSize(room, self.text.heightForWidth(room)))
        self.move((width - self.width()) // 2, height - CLEAR - self.height())
        self.setVisible(self.height() <= SHARE * height)
        self.raise_()

    def _fit(self, words: QSize) -> int:
        """Adapt the size to that of the text; returns the width of everything else."""
        layout = self.layout()
        assert layout is not None
        self.text.setFixedSize(words)
        layout.invalidate()
        self.resize(layout.totalSizeHint())
        return self.width() - words.width()

"""The card of the tour: text of a step, its task, and buttons to go back, on and out."""

from __future__ import annotations

from PyQt6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from tumble.app.look import theme
from tumble.app.shell.tour.steps import TourProgress

WIDTH = 350
MARGIN = 12  # from the view's edges
PAD, GAP = 14, 8
ICON = QSize(16, 16)


class Card(QFrame):
    """Lies over a corner of the view and can be dragged away; keys go on to where they went before."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tour")
        self.setFixedWidth(WIDTH)
        self._moved = False  # the user has put it elsewhere
        self._grip = QPoint()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.title, self.text, self.number = QLabel(), QLabel(), QLabel()
        self.title.setFont(theme.sans(10.5, bold=True))
        self.number.setProperty("dim", True)
        self.task, self.mark = QLabel(), QLabel()
        for label in (self.title, self.text, self.task):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.mark.setFixedSize(ICON)
        self.back, self.next, self.end = QPushButton("&Back"), QPushButton("&Next"), QPushButton("En&d")
        self.end.setFlat(True)
        for button in (self.back, self.next, self.end):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(PAD, 12, PAD, 12)
        column.setSpacing(8)
        self._task_line = QWidget()
        line = QHBoxLayout(self._task_line)
        line.setContentsMargins(0, 2, 0, 2)
        line.setSpacing(GAP)
        line.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.task, 1)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addWidget(self.number, 1)
        for button in (self.end, self.back, self.next):
            foot.addWidget(button)
        for widget in (self.bar, self.title, self.text, self._task_line):
            column.addWidget(widget)
        column.addLayout(foot)

    def show_step(self, progress: TourProgress) -> None:
        """Show a step, in front of all panels."""
        step = progress.step
        self.bar.setRange(0, progress.count)
        self.bar.setValue(progress.index + 1)
        self.number.setText(f"{progress.index + 1} of {progress.count}")
        self.title.setText(step.title)
        self.text.setText(step.text)
        self.back.setVisible(True)
        self.back.setEnabled(not progress.is_first)
        self.next.setText("&Finish" if progress.is_last else "&Next")
        self.end.setText("En&d")
        self.end.setToolTip("End the tour; the panels go back to where they were")
        self.end.setVisible(not progress.is_last)
        self.show_done(progress)
        self.open()

    def show_done(self, progress: TourProgress) -> None:
        """Show if the step's task is done."""
        task, done = progress.step.task, progress.is_done
        self._task_line.setVisible(task is not None)
        self.task.setText(task.text if task is not None else "")
        self.mark.setPixmap(theme.icon("done" if done else "todo", "good" if done else "accent").pixmap(ICON))
        _set(self.task, "done", done)
        _set(self.next, "primary", done or progress.is_last)
        helps = task is not None and bool(task.help) and not done
        self.next.setToolTip("Continue; the tour does this step for you" if helps else "")

    def ask_back(self, name: str, changes: int) -> None:
        """The last card: offer the model that was open before. `next` brings it back, `end` stays here."""
        values = f"{changes} change{'s' if changes != 1 else ''}"
        kept = f", with the {values} that its file does not have yet" if changes else ""
        self.title.setText("The tour is over")
        self.text.setText(f"{name} was open before: it can come back, from its start{kept}.")
        self.number.setText("")
        self._task_line.hide()
        self.back.hide()
        self.end.setText("&Stay here")
        self.end.setToolTip("Continue with the plank on its rollers" + ("; the changes are lost" if changes else ""))
        self.end.show()
        self.next.setText(f"Back to {_short(name)}")
        self.next.setToolTip("")
        _set(self.next, "primary", True)
        self.open()

    def open(self) -> None:
        """Fit it to its text: Qt requests no height for nested word-wrapped labels."""
        layout = self.layout()
        assert layout is not None
        wide = WIDTH - 2 * PAD - 2
        for label, width in ((self.title, wide), (self.text, wide), (self.task, wide - ICON.width() - GAP)):
            label.setMinimumHeight(0)  # else it requests at least its former height
            label.setFixedHeight(label.heightForWidth(width))
        layout.invalidate()
        self.resize(WIDTH, layout.totalSizeHint().height())
        self.show()
        self.raise_()

    def lie_in(self, view: QRect, *, below: bool) -> None:
        """Move to the view's upper right corner, or to the lower one, inside the window; one that the user moved, only inside."""
        holder = self.parentWidget()
        assert holder is not None
        place = self.pos()
        if not self._moved:
            top = view.bottom() - MARGIN - self.height() if below else view.top() + MARGIN
            place = QPoint(view.right() - MARGIN - self.width(), top)
        inside = QPoint(
            max(0, min(place.x(), holder.width() - self.width())), max(0, min(place.y(), holder.height() - self.height()))
        )
        if inside != self.pos():
            self.move(inside)

    def mousePressEvent(self, event: QMouseEvent | None) -> None:
        """Start dragging the card."""
        if event is not None:
            self._grip = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent | None) -> None:
        """Drag it away."""
        if event is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._moved = True
            self.move(self.mapToParent(event.position().toPoint() - self._grip))

    def event(self, event: QEvent | None) -> bool:
        """Keep wheel events from widgets below."""
        if event is not None and event.type() == QEvent.Type.Wheel:
            event.accept()
            return True
        return super().event(event)


def _set(widget: QWidget, name: str, value: bool) -> None:
    """A property that the style sheet knows."""
    style = widget.style()
    if widget.property(name) != value and style is not None:
        widget.setProperty(name, value)
        style.unpolish(widget)
        style.polish(widget)


def _short(name: str) -> str:
    return name if len(name) <= 20 else f"{name[:18]}…"

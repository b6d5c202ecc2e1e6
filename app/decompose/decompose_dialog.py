"""Decompose…: cut a mesh geom into convex parts, look at them, and write them into the model's file."""

from __future__ import annotations

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import (
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from tumble.app.decompose.parts import COARSEST, FINEST, MOST_PARTS, USUAL, Fineness


class DecomposeDialog(QDialog):
    """cut: cut it, with a Fineness; stop: cancel; write: show the patch."""

    cut = pyqtSignal(object)
    stop = pyqtSignal()
    write = pyqtSignal()

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Decompose a mesh")
        self.head, self.said = QLabel(), QLabel()
        for label in (self.head, self.said):
            label.setWordWrap(True)
        self.concavity = QDoubleSpinBox()
        self.concavity.setAccessibleName("Concavity")
        self.concavity.setRange(FINEST, COARSEST)
        self.concavity.setSingleStep(0.01)
        self.concavity.setValue(USUAL)
        self.concavity.setToolTip("How far a part may be from convex, relative to the size of the mesh: smaller gives more parts")
        self.most = QSpinBox()
        self.most.setAccessibleName("Most parts")
        self.most.setRange(0, MOST_PARTS)
        self.most.setSpecialValueText("no limit")
        self.most.setToolTip("Largest number of parts; each takes time when bodies come near")
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.start, self.save = QPushButton("Cut"), QPushButton("Write to file…")
        self.start.clicked.connect(self._toggle)
        self.save.clicked.connect(self.write)
        self.save.setEnabled(False)
        self._running = False
        self._lay_out()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow("Concavity", self.concavity)
        form.addRow("Parts", self.most)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        close = QPushButton("Close")
        close.clicked.connect(self.reject)
        for button in (close, self.start, self.save):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.addWidget(self.head)
        column.addLayout(form)
        column.addWidget(self.bar)
        column.addWidget(self.said, 1)
        column.addLayout(buttons)
        self.setMinimumWidth(380)

    def appear(self, head: str) -> None:
        """Begin with another mesh; head: its description."""
        self.head.setText(head)
        self.show_running(False)
        self.show_result("", writable=False)
        self.show()
        self.raise_()
        self.activateWindow()

    def show_running(self, running: bool) -> None:
        """Show if the mesh is being cut."""
        self._running = running
        self.bar.setVisible(running)
        self.start.setText("Stop" if running else "Cut")
        if running:
            self.show_result("Cutting: this takes seconds to minutes. The simulation continues.", writable=False)

    def show_result(self, text: str, *, writable: bool) -> None:
        """Show the result; writable: whether there are parts to write."""
        self.said.setText(text)
        self.save.setEnabled(writable)
        self.save.setDefault(writable)

    def _toggle(self) -> None:
        if self._running:
            self.stop.emit()
        else:
            self.cut.emit(Fineness(self.concavity.value(), self.most.value()))

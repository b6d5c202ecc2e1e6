"""Choosing an element: kind, and name with search; those of the selected body come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PyQt6.QtCore import QSignalBlocker, Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from tumble.app.editing.parameters import ParameterOwner, kinds_of, of_body
from tumble.app.simulation.correspondence import GONE, Correspondence
from tumble.app.widgets.layout import present
from tumble.app.widgets.live_field import CalmCombo, SearchCombo

if TYPE_CHECKING:
    from tumble.physics import MjModel


class ElementChoice(QWidget):
    """chosen: another element was chosen, kind and number; (None, -1) if the model has none."""

    chosen = pyqtSignal(object, int)

    def __init__(self) -> None:
        super().__init__()
        self.kind = CalmCombo("Kind of element", "Type of element")
        self.element = SearchCombo("Element", "Element; type to search")
        self.kind.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._model: MjModel | None = None
        self._kinds: list[ParameterOwner] = []
        self._body = 0
        self.kind.activated.connect(lambda i: self._fill(None))
        self.element.activated.connect(lambda i: self._tell())
        present(self.element.lineEdit()).editingFinished.connect(self._settle)
        line = QGridLayout(self)
        line.setContentsMargins(12, 8, 10, 6)
        line.addWidget(self.kind, 0, 0)
        line.addWidget(self.element, 0, 1)
        line.setColumnStretch(0, 2)
        line.setColumnStretch(1, 3)

    @property
    def current(self) -> tuple[ParameterOwner | None, int]:
        """The chosen element."""
        at, data = self.kind.currentIndex(), self.element.currentData()
        return (self._kinds[at], int(data)) if at >= 0 and data is not None else (None, -1)

    def set_model(self, model: MjModel | None, kept: Correspondence | None = None) -> None:
        """Offer the elements of another model; kept: mapping from the model before a reload, whose element stays chosen."""
        kind, index = self.current
        self._model, self._body = model, 0
        self._kinds = kinds_of(model) if model is not None else []
        with QSignalBlocker(self.kind):
            self.kind.clear()
            self.kind.addItems([kind.title for kind in self._kinds])
        self.setEnabled(bool(self._kinds))
        same = GONE if kept is None or kind is None else kept.element(kind.count.removeprefix("n"), index)
        if kind in self._kinds and same != GONE:
            with QSignalBlocker(self.kind):
                self.kind.setCurrentIndex(self._kinds.index(kind))
            self._fill(same)
        else:
            self._fill(None)

    def choose(self, kind: ParameterOwner, index: int) -> None:
        """Select an element."""
        if kind in self._kinds:
            with QSignalBlocker(self.kind):
                self.kind.setCurrentIndex(self._kinds.index(kind))
            self._fill(index)

    def prefer(self, body: int) -> None:
        """Offer the elements of a body first, and look at the first of them."""
        self._body = body
        kind, index = self.current
        model = self._model
        if kind is None or model is None:
            return
        if body > 0 and not of_body(model, kind, index, body):
            own = [k for k in (kind, *self._kinds) if any(of_body(model, k, i, body) for i, _ in k.elements(model))]
            if own:
                with QSignalBlocker(self.kind):
                    self.kind.setCurrentIndex(self._kinds.index(own[0]))
                self._fill(None)
                return
        self._fill(index)

    def _fill(self, index: int | None) -> None:
        """List the elements of the kind chosen; index: to be chosen, None: the first."""
        at = self.kind.currentIndex()
        with QSignalBlocker(self.element):
            self.element.clear()
            if at >= 0 and self._model is not None:
                self._list(self._model, self._kinds[at])
            place = self.element.findData(index) if index is not None else 0
            self.element.setCurrentIndex(max(0, place) if self.element.count() else -1)
        self._tell()

    def _list(self, model: MjModel, kind: ParameterOwner) -> None:
        elements = kind.elements(model)
        mine = [e for e in elements if self._body > 0 and of_body(model, kind, e[0], self._body)]
        rest = [e for e in elements if e not in mine] if mine else elements
        for number, name in mine:
            self.element.addItem(name, number)
        if mine and rest:
            self.element.insertSeparator(len(mine))
        for number, name in rest:
            self.element.addItem(name, number)

    def _settle(self) -> None:
        """Choose the typed name, or show the present choice again."""
        at = self.element.findText(self.element.currentText(), Qt.MatchFlag.MatchFixedString)
        if at >= 0 and at != self.element.currentIndex():
            self.element.setCurrentIndex(at)
            self._tell()
        else:
            self.element.setEditText(self.element.itemText(self.element.currentIndex()))

    def _tell(self) -> None:
        self.chosen.emit(*self.current)

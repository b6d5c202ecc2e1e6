"""A parameter as a row of exact number fields, with valid ranges, a mark where it is changed, and a reset."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PyQt6.QtCore import QSignalBlocker, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFocusEvent, QKeyEvent
from PyQt6.QtWidgets import QComboBox, QGridLayout, QLineEdit, QSizePolicy, QToolButton, QWidget

from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.editing.impedance import with_digits
from tumble.app.editing.parameters import Parameter, parse, shown, unit, valid
from tumble.app.look import theme
from tumble.app.widgets.layout import make_label, set_look
from tumble.app.widgets.live_field import DONE, CalmCombo, is_held

MIXED = "mixed"  # placeholder for several elements with different values
_COLUMNS = 3  # fields side by side in a narrow dock


class NumberField(QLineEdit):
    """A number at full precision. Enter or leaving it commits, Escape reverts the typed text.

    committed: the text is a number, and another one; refused: it is invalid.
    """

    committed = pyqtSignal(float)
    refused = pyqtSignal(str)

    def __init__(self, tip: str) -> None:
        super().__init__()
        self._value: float | None = None
        self._text = ""
        self.setFont(theme.mono(9))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setToolTip(tip)
        self.setMinimumWidth(40)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.editingFinished.connect(self.commit)

    @property
    def held(self) -> bool:
        """True while the user edits it."""
        return is_held(self)

    def show_value(self, value: float | None, text: str = "", *, edited: bool = False) -> None:
        """Show a number, as `text` if that is given; as long as the user is in the field, only once they have left.

        edited: the user set the new value elsewhere: shown unless something else is typed here.
        """
        new = value != self._value
        self._value, self._text = value, "" if value is None else text or shown(value)
        if not self.isModified() and ((edited and new) or not is_held(self)):
            self._show()

    def _show(self) -> None:
        if self.text() != self._text:
            self.setText(self._text)
            self.setCursorPosition(0)

    def commit(self) -> None:
        """Commit the typed text."""
        if not self.isModified():
            return
        self.setModified(False)
        typed = parse(self.text())
        if typed is None:
            self.refused.emit(f"“{self.text()}” is not a number")
        elif typed != self._value:
            self.committed.emit(typed)

    def take_back(self) -> None:
        """Show the value again in place of typed text."""
        self.setModified(False)
        self._show()

    def focusOutEvent(self, event: QFocusEvent | None) -> None:
        """Show the value that arrived while the user edited."""
        super().focusOutEvent(event)
        if not (self.isModified() or is_held(self)):
            self._show()

    def keyPressEvent(self, event: QKeyEvent | None) -> None:
        """Enter returns the focus to the view, Escape reverts."""
        if event is not None and event.key() == Qt.Key.Key_Escape:
            self.take_back()
            self.clearFocus()
        elif event is not None and event.key() in DONE:
            self.commit()
            self.clearFocus()
        else:
            super().keyPressEvent(event)


class NumberRow(QWidget):
    """name unit [reset] / the fields, each with its caption / an error line.

    changed: the user wants these values, which are valid; where it shows several elements and they differ in a number that was
    not typed, that is nan: each keeps its own. restored: the user wants those of the file.
    """

    changed = pyqtSignal(tuple)
    restored = pyqtSignal()

    def __init__(self, parameter: Parameter, length: str, force: str) -> None:
        super().__init__()
        self.parameter = parameter
        self._values: tuple[float, ...] = ()
        self._mixed = (False,) * len(parameter.parts)
        self.label = make_label(parameter.attribute, tip=parameter.tip)
        self.back = QToolButton()
        self.back.setAccessibleName(f"{parameter.attribute}: revert to the file")
        self.back.setIcon(theme.icon("undo", "accent"))
        self.back.setIconSize(QSize(14, 14))
        self.back.setAutoRaise(True)
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.back.setFixedSize(22, 18)
        self.back.setStyleSheet("padding: 0px;")
        keeping = self.back.sizePolicy()
        keeping.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(keeping)
        self.back.clicked.connect(self.restored)
        self.fields: list[NumberField] = []
        self.choice: QComboBox | None = None
        self.problem = make_label(ink="bad", wrap=True)
        self.problem.hide()
        self._lay_out(length, force)

    def _lay_out(self, length: str, force: str) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(12, 4, 10, 4)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        single = len(self.parameter.parts) == 1
        units = [unit(part, length, force) for part in self.parameter.parts]
        if single and units[0]:
            self.label.setText(f"{self.parameter.attribute}  <span style='color:{theme.colours()['dim']}'>{units[0]}</span>")
        grid.addWidget(self.label, 0, 0, 1, 2)
        grid.addWidget(self.back, 0, _COLUMNS)
        if self.parameter.choices:
            self.choice = CalmCombo(self.parameter.attribute, self.parameter.tip)
            self.choice.addItems([str(c) for c in self.parameter.choices])
            self.choice.activated.connect(lambda i: self._wanted((float(self.parameter.choices[i]),)))
            grid.addWidget(self.choice, 0, 2)
        for i, part in enumerate(self.parameter.parts if self.choice is None else ()):
            caption = f"{part.caption} [{units[i]}]" if units[i] else part.caption
            field = NumberField(f"{self.parameter.tip}\n{caption}: {valid(part)}")
            field.setAccessibleName(f"{self.parameter.attribute} {part.caption}")
            field.committed.connect(lambda value, i=i: self._typed(i, value))
            field.refused.connect(lambda why, field=field: self._refuse(why, field))
            self.fields.append(field)
            if single:
                grid.addWidget(field, 0, 2)
                continue
            small = make_label(caption, ink="dim", font=theme.sans(8))
            line, column = 1 + 2 * (i // _COLUMNS), i % _COLUMNS
            grid.addWidget(small, line + 1, column)
            grid.addWidget(field, line, column)
        grid.addWidget(self.problem, 9, 0, 1, _COLUMNS + 1)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
        grid.setColumnMinimumWidth(_COLUMNS, 24)

    def show_values(
        self, values: Sequence[float], first: Sequence[float], mixed: Sequence[bool] = (), others_changed: bool = False
    ) -> None:
        """Show numbers, and whether they differ from the file's; mixed: which differ among several elements."""
        self._values = tuple(values)
        self._mixed = tuple(mixed) or (False,) * len(self._values)
        changed = others_changed or self._values != tuple(first)
        self.back.setVisible(changed)
        self.back.setToolTip(f"Revert to {' '.join(f'{v:.6g}' for v in first)}, as in the file")
        self.setProperty("changed", changed)
        if self.choice is not None:
            with QSignalBlocker(self.choice):
                self.choice.setPlaceholderText(MIXED)
                self.choice.setCurrentIndex(-1 if self._mixed[0] else self.choice.findText(str(int(values[0]))))
            set_look(self.choice, "changed", changed)
        for field, value, old, differs in zip(self.fields, values, first, self._mixed, strict=False):
            field.show_value(None if differs else value, edited=True)
            field.setPlaceholderText(MIXED if differs else "")
            set_look(field, "changed", value != old)
            if not field.isModified():
                set_look(field, "bad", False)
        self.problem.hide()

    def _typed(self, at: int, value: float) -> None:
        self._wanted(tuple(value if i == at else v for i, v in enumerate(self._values)), self.fields[at])

    def _wanted(self, values: tuple[float, ...], field: NumberField | None = None) -> None:
        why = self.parameter.problem(values)
        typed = {self.fields.index(field)} if field is not None else {0}
        if why and "solref" in self.parameter.attribute and field is self.fields[0] and values[1] * values[0] <= 0:
            # The other form is begun: its second number follows in kind, as stiff and damped as seems sensible.
            values = (values[0], with_digits(-2 * (-values[0]) ** 0.5, 4)) if values[0] < 0 else (values[0], 1.0)
            why, typed = self.parameter.problem(values), {0, 1}
        if why:
            self._refuse(why, field)
        else:
            each_its_own = [differs and k not in typed for k, differs in enumerate(self._mixed)]
            self.changed.emit(tuple(math.nan if own else v for v, own in zip(values, each_its_own, strict=True)))

    def refuse(self, why: str) -> None:
        """Show why values are not accepted."""
        self._refuse(why, None)

    def _refuse(self, why: str, field: NumberField | None) -> None:
        self.problem.setText(f"Not accepted: {why}")
        self.problem.show()
        if field is not None:
            field.take_back()
            set_look(field, "bad", True)


class EditRow(NumberRow):
    """A row that edits its parameter at a place of the model; lengths in m, forces in N. of: the element, in the undo menu."""

    def __init__(self, parameter: Parameter, place: EditPlace, edits: Edits, of: str = "") -> None:
        super().__init__(parameter, "m", "N")
        self._place, self._edits = place, edits
        self.changed.connect(lambda values: edits.set(place, values, f"Change {parameter.attribute}{of}"))
        self.restored.connect(lambda: edits.restore([place]))

    def follow(self) -> None:
        """Show the present value, and whether it is the file's."""
        self.show_values(self._edits.value(self._place), self._edits.first(self._place))

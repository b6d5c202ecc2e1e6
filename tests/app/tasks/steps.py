"""Gestures of a user, each one step: a click, a double click, a choice in a menu, a value typed with Enter."""

from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QMenu, QScrollArea

LEFT = Qt.MouseButton.LeftButton


def choose(window, menu, entry):
    """Choose an entry of a menu of the window, as clicking it does."""
    bar = window.menuBar()
    found = [action.menu() for action in bar.actions() if action.text().replace("&", "") == menu]
    assert isinstance(found[0], QMenu)
    actions = {action.text().replace("&", ""): action for action in found[0].actions()}
    assert actions[entry].isEnabled()
    actions[entry].trigger()


def click(widget):
    """Click a button, which is scrolled into sight as the wheel does."""
    _bring(widget)
    assert widget.isVisible()
    assert widget.isEnabled()
    QTest.mouseClick(widget, LEFT)


def enter(field, text):
    """Type a value in place of what a field has, with Enter."""
    _bring(field)
    QTest.mouseClick(field, LEFT)
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def click_row(table, row, *, twice=False):
    """Click a row of a table, or double-click it."""
    model, area = table.model(), table.viewport()
    index = model.index(row, 0)
    table.scrollTo(index)
    at = table.visualRect(index).center()
    QTest.mouseClick(area, LEFT, pos=at)
    if twice:
        QTest.mouseDClick(area, LEFT, pos=at)


def click_head(table, column):
    """Click the head of a column, which sorts by it."""
    head = table.horizontalHeader()
    area = head.viewport()
    table.scrollTo(table.model().index(0, column))
    QTest.mouseClick(area, LEFT, pos=QPoint(head.sectionViewportPosition(column) + 12, head.height() // 2))


def _bring(widget):
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
            return
        above = above.parentWidget()

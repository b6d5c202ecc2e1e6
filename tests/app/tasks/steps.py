"""Gestures of a user, each one step: a click, a double click, a choice in a menu, a value typed with Enter."""

from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QMenu, QScrollArea

LEFT = Qt.MouseButton.LeftButton


def choose(window, *words):
    """Choose an entry of a menu of the window, or of a menu in it, as clicking it does."""
    holder = window.menuBar()
    for word in words:
        actions = {action.text().replace("&", ""): action for action in holder.actions()}
        assert actions[word].isEnabled()
        holder = actions[word].menu()
    assert not isinstance(holder, QMenu)
    actions[word].trigger()


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


def _bring(widget):
    above = widget.parentWidget()
    while above is not None:
        if isinstance(above, QScrollArea):
            above.ensureWidgetVisible(widget)
            return
        above = above.parentWidget()

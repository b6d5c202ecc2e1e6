"""Changes of the model that are in no file: the title says so, and nothing loses them without a question."""

import shutil

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, drop, open_and_wait
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.keyframes import Keyframes
from tumble.app.library.examples import FIRST

BALL, SPIN = MODELS / "ball.xml", MODELS / "spin.xml"
TIMESTEP = EditPlace("opt.timestep")
pytestmark = pytest.mark.pumped


@pytest.fixture
def changed(window, qtbot, tmp_path):
    """A file of the user's that the window shows, with an option changed."""
    path = tmp_path / "mine.xml"
    shutil.copy(BALL, path)
    open_and_wait(qtbot, window.session, path)
    window.edits.set(TIMESTEP, (0.004,), "Change timestep")
    return path


def _button(window, text):
    box = window.leaving.box
    return next(button for button in box.buttons() if button.text().replace("&", "") == text)


def _answer(window, text):
    QTest.mouseClick(_button(window, text), Qt.MouseButton.LeftButton)


def test_the_title_and_the_status_bar_say_that_there_are_unsaved_changes(window, changed):
    assert window.isWindowModified()
    assert window.windowTitle().startswith("mine.xml[*]")
    assert window.unsaved.isVisible()
    assert window.unsaved.text() == "1 unsaved change"
    assert "timestep: 0.002 → 0.004" in window.unsaved.toolTip()
    window.edits.set(EditPlace("geom_friction", 1), (0.5, 0.005, 0.0001), "Change friction")
    assert "friction of geom" in window.unsaved.toolTip()
    assert window.unsaved.text() == "2 unsaved changes"
    window.edits.restore()
    assert not window.isWindowModified()
    assert not window.unsaved.isVisible()


def test_whatever_would_lose_changes_asks_first(window, qtbot, changed, monkeypatch):
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *args: (str(SPIN), ""))
    losing = (
        lambda: window.actions_by_name["open"].trigger(),
        lambda: drop(window, SPIN),
        lambda: window.actions_by_name["reload"].trigger(),
        window.close,
    )
    for lose in losing:
        lose()
        box = window.leaving.box
        assert box.isVisible()
        assert "mine.xml has 1 unsaved change" in box.text()
        assert "timestep: 0.002 → 0.004" in box.informativeText()
        qtbot.waitUntil(box.isActiveWindow)
        QTest.keyClick(box, Qt.Key.Key_Escape)
        assert window.leaving.box is None
        assert window.isVisible()
        assert not window.session.loads_another
    assert window.session.path == changed
    assert window.edits.count == 1
    with qtbot.waitSignal(window.session.model_loaded):
        drop(window, SPIN)
        _answer(window, "Discard")
    assert window.session.path == SPIN
    assert not window.isWindowModified()
    open_and_wait(qtbot, window.session, changed, lambda: drop(window, changed))  # nothing to lose: no question


def test_a_window_that_is_closed_saves_its_changes_first(window, qtbot, changed):
    window.close()
    _answer(window, "Save to file…")
    view = window.panels.parameters.bar.view
    qtbot.waitUntil(view.isVisible)
    QTest.keyClick(view, Qt.Key.Key_Escape)  # seen, and not saved: the window stays
    assert window.isVisible()
    window.close()
    _answer(window, "Save to file…")
    qtbot.waitUntil(view.isVisible)
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.isVisible())
    assert 'timestep="0.004"' in changed.read_text()


def test_a_bundled_scene_says_why_it_is_saved_under_another_name(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, FIRST.path)
    window.edits.set(TIMESTEP, (0.0015,), "Change timestep")
    copy = tmp_path / "copy.xml"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (str(copy), ""))
    QTest.mouseClick(window.unsaved, Qt.MouseButton.LeftButton)
    view = window.panels.parameters.bar.view
    qtbot.waitUntil(view.isVisible)
    assert "bundled with the program" in view.head.text()
    assert not view.save.isVisible()
    assert view.copy.text() == "Save as…"
    assert view.copy.isDefault()
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not view.isVisible())
    assert 'timestep="0.0015"' in copy.read_text()
    assert not window.isWindowModified()  # they are in a file
    window.edits.set(TIMESTEP, (0.001,), "Change timestep")
    assert window.isWindowModified()


def test_closing_in_the_midst_of_the_tour_asks_about_the_changes_made_before_it(window, qtbot, changed):
    made = window.session.part(Keyframes).save("a\nb")
    assert made is not None
    with qtbot.waitSignal(window.session.model_loaded):
        window.welcome.take_tour()
    assert window.edits.unsaved == 0
    with qtbot.waitSignal(window.session.model_loaded):
        assert not window.close()
    qtbot.waitUntil(lambda: window.leaving.box is not None)
    assert window.session.origin == changed
    assert "2 unsaved changes" in window.leaving.box.text()
    assert [key.name for key in window.session.part(Keyframes).all] == ["a b"]
    _answer(window, "Discard")
    qtbot.waitUntil(lambda: not window.isVisible())

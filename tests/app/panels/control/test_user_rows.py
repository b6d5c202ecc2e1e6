"""The user's numbers in the control panel: shown, typed, on the time line, and absent where a model has none."""

import pytest
from pytest import approx

from tests.app.conftest import open_and_wait, written
from tests.app.panels.moments import live, stepped

pytestmark = pytest.mark.pumped
MODEL = """<mujoco>{size}<worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def panel(window, qtbot, tmp_path):
    window.session.set_paused(True)
    open_and_wait(qtbot, window.session, written(tmp_path / "user.xml", MODEL.format(size='<size nuserdata="4"/>')))
    window.panels.dock("control").bring()
    return window.panels.control


def typed(panel, k, text):
    field = panel.user.fields[k]
    field.setText(text)
    field.setModified(True)
    field.commit()


def test_numbers_are_typed_and_stay_on_the_time_line(window, qtbot, panel):
    assert len(panel.user.fields) == 4
    stepped(window, qtbot, 5)
    typed(panel, 2, "1.5")
    qtbot.waitUntil(lambda: live(window).userdata[2] == approx(1.5))
    qtbot.waitUntil(lambda: panel.user.fields[2].text() == "1.5")
    stepped(window, qtbot, 5)
    window.session.history.go(2)
    qtbot.waitUntil(lambda: live(window).userdata[2] == 0.0)
    qtbot.waitUntil(lambda: panel.user.fields[2].text() == "0")
    window.session.history.go(9)
    qtbot.waitUntil(lambda: panel.user.fields[2].text() == "1.5")


def test_what_is_no_number_is_refused(panel):
    typed(panel, 0, "many")
    assert "not a number" in panel.user.problem.text()


def test_a_model_without_has_no_row_and_one_with_many_shows_the_first(window, qtbot, tmp_path, panel):
    open_and_wait(qtbot, window.session, written(tmp_path / "none.xml", MODEL.format(size="")))
    assert panel.user.fields == []
    open_and_wait(qtbot, window.session, written(tmp_path / "many.xml", MODEL.format(size='<size nuserdata="500"/>')))
    assert len(panel.user.fields) == 60

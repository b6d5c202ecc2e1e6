"""Signed distance functions in a file next to a model: asked for like a controller, and the model is then loaded."""

import pytest
from PyQt6.QtCore import Qt

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.panels.control import functions
from tumble.app.panels.control.script import ControllerError, read

MODEL = """<mujoco><asset><mesh name="ball"><plugin plugin="test.beside"/></mesh></asset><worldbody>
<geom type="plane" size="1 1 1"/><body pos="0 0 0.5"><freejoint/>
<geom type="sdf" mesh="ball"><plugin plugin="test.beside"/></geom></body></worldbody></mujoco>"""
FUNCTIONS = """import math
from tumble import physics

physics.set_sdf("test.beside", lambda p, a: math.hypot(*p) - 0.2, {}, (3.0, 0.25, 0.25))  # wide: few points are asked for
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text(MODEL)
    yield path
    physics.set_sdf("test.beside", None)


def test_functions_next_to_a_model_run_once_they_are_trusted(window, qtbot, model):
    model.with_name("ball.sdf.py").write_text(FUNCTIONS)
    window.session.open(model)
    qtbot.waitUntil(lambda: window.controlling.trust.isVisible())
    assert "test.beside" in window.controlling.trust.text.toPlainText()
    assert physics.get_sdf("test.beside") is None
    qtbot.waitUntil(window.controlling.trust.agree.isEnabled)
    with qtbot.waitSignal(window.session.model_loaded):
        qtbot.mouseClick(window.controlling.trust.agree, Qt.MouseButton.LeftButton)
    assert window.session.path == model


def test_the_question_about_functions_ends_when_another_model_is_opened(window, qtbot, model):
    model.with_name("ball.sdf.py").write_text(FUNCTIONS)
    window.session.open(model)
    trust = window.controlling.trust
    qtbot.waitUntil(trust.isVisible)
    assert trust.model.text() == "For the model ball.xml"
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    assert not trust.isVisible()
    trust.accept()
    assert physics.get_sdf("test.beside") is None
    assert window.session.path == MODELS / "spin.xml"


def test_without_trust_nothing_runs_and_the_error_stays(window, qtbot, model):
    model.with_name("ball.sdf.py").write_text(FUNCTIONS)
    with qtbot.waitSignal(window.session.load_failed) as told:
        window.session.open(model)
    assert 'plugin "test.beside"' in told.args[0]
    window.controlling.trust.reject()
    assert physics.get_sdf("test.beside") is None


def test_a_file_of_functions_that_raises_is_told_of_once(window, qtbot, model):
    model.with_name("ball.sdf.py").write_text("from tumble import physics\nphysics.nothing\n")
    window.session.open(model)
    qtbot.waitUntil(lambda: window.controlling.trust.isVisible())
    qtbot.waitUntil(window.controlling.trust.agree.isEnabled)
    named = {"check_params_cb": lambda said: "ball.sdf.py" in said}
    with qtbot.waitSignal(window.session.status, **named) as told:
        qtbot.mouseClick(window.controlling.trust.agree, Qt.MouseButton.LeftButton)
    assert "line 2" in told.args[0]


def test_a_file_of_functions_that_does_not_end_is_ended(tmp_path):
    path = tmp_path / "ball.sdf.py"
    path.write_text("try:\n    while True:\n        pass\nexcept BaseException:\n    while True:\n        pass\n")
    with pytest.raises(ControllerError, match=r"ball\.sdf\.py: was ended: .* within 0\.1 s"):
        functions.run(read(path), limit=0.1)

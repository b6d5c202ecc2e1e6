"""Controllers in the real window: asked for, trusted by a click, run at every step, stopped, and never in the way."""

import math
import threading
from time import monotonic

import pytest
from PyQt6.QtCore import QPoint, Qt

from tests.app.conftest import MODELS, drop, open_and_wait, picture
from tests.app.pump import let_pass, simulation_of
from tests.app.simulation.test_correspondence import loaded
from tumble import physics
from tumble.app.base.settings import TRUSTED, Settings
from tumble.app.panels.control.controllers import Controllers
from tumble.app.panels.control.generators import Generators
from tumble.app.panels.control.script import Script
from tumble.app.simulation.controller_file import CallGuard, ControllerError, Interrupted, Trust, read
from tumble.app.simulation.generators import Generator, Shape
from tumble.app.widgets.trust_dialog import plainly

pytestmark = pytest.mark.pumped

ARM = MODELS / "arm.xml"
# Notes what it sees and does, where the test can read it.
SINE = """import math
from tumble import physics as mujoco

seen = []

def control(model, data):
    assert isinstance(model, mujoco.MjModel) and isinstance(data, mujoco.MjData)
    data.ctrl[0] = math.sin(data.time)
    data.qfrc_applied[0] = 0.25
    seen.append((data.time, data.ctrl[0]))
"""


def written(tmp_path, text, name="hop.py"):
    path = tmp_path / name
    path.write_text(text)
    return path


def dropped(window, qtbot, path):
    """Drop a controller on the window with the arm, and wait for the question."""
    if window.session.model is None:
        open_and_wait(qtbot, window.session, ARM)
    drop(window, path)
    assert window.controlling.trust.isVisible()


def agreed(window, qtbot):
    qtbot.waitUntil(window.controlling.trust.agree.isEnabled)
    qtbot.mouseClick(window.controlling.trust.agree, Qt.MouseButton.LeftButton)
    assert not window.controlling.trust.isVisible()


def passes(window, qtbot, time=0.1):
    let_pass(window.session, qtbot, time)


def test_dropped_controller_runs_every_step_once_trusted(window, qtbot, tmp_path):
    path = written(tmp_path, SINE)
    open_and_wait(qtbot, window.session, ARM)
    session = window.session
    session.set_paused(True)
    session.reset()
    dropped(window, qtbot, path)
    assert str(path) in window.controlling.trust.path.text()
    assert "data.ctrl[0] = math.sin(data.time)" in window.controlling.trust.text.toPlainText()
    assert window.controlling.trust.refuse.isDefault()
    session.step(10)
    qtbot.waitUntil(lambda: session.snapshot.time == pytest.approx(0.02))
    assert session.snapshot.ctrl[0] == 0  # nothing runs before the user's word
    agreed(window, qtbot)
    session.step(200)
    qtbot.waitUntil(lambda: session.snapshot.time == pytest.approx(0.42))
    seen = window.session.part(Controllers)._script._control.__globals__["seen"]
    assert [round(time / 0.002) for time, _ in seen] == list(range(10, 210))
    assert all(ctrl == math.sin(time) for time, ctrl in seen)
    assert session.snapshot.ctrl[0] == math.sin(seen[-1][0])
    assert session.snapshot.qpos[0] > 0.01
    assert window.panels.control.controller.isVisible()
    assert "runs at every step" in window.panels.control.controller.state.text()
    assert Settings(tmp_path / "settings.json").get(TRUSTED) == [read(path).digest]


def test_refused_controller_never_runs_and_trusted_one_does(window, qtbot, tmp_path):
    mark = tmp_path / "ran"
    path = written(tmp_path, f"from pathlib import Path\nPath({str(mark)!r}).touch()\ndef control(model, data): pass\n")
    dropped(window, qtbot, path)
    # Too early: it may have been meant for something else.
    qtbot.mouseClick(window.controlling.trust.agree, Qt.MouseButton.LeftButton)
    assert window.controlling.trust.isVisible()
    qtbot.mouseClick(window.controlling.trust.refuse, Qt.MouseButton.LeftButton)
    assert not window.controlling.trust.isVisible()
    passes(window, qtbot)
    assert not mark.exists()
    assert not window.panels.control.controller.isVisible()
    dropped(window, qtbot, path)  # asks again
    window.controlling.trust.activateWindow()
    qtbot.waitUntil(window.controlling.trust.isActiveWindow)
    qtbot.keyClick(window.controlling.trust, Qt.Key.Key_Escape)
    assert not window.controlling.trust.isVisible()
    passes(window, qtbot)
    assert not mark.exists()
    dropped(window, qtbot, path)
    agreed(window, qtbot)
    let_pass(window.session, qtbot, 0.01)
    assert mark.exists()
    window.session.part(Controllers).stop()
    mark.unlink()
    drop(window, path)
    assert not window.controlling.trust.isVisible()
    let_pass(window.session, qtbot, 0.01)
    assert mark.exists()


def test_controller_exception_is_logged_and_stops_only_it(window, qtbot, tmp_path):
    path = written(tmp_path, "def control(model, data):\n    if data.time > 0.05:\n        data.ctrl[7] = 1\n")
    dropped(window, qtbot, path)
    agreed(window, qtbot)
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: not window.session.part(Controllers).running)
    qtbot.waitUntil(lambda: "Traceback" in window.panels.log.text.toPlainText())
    log = window.panels.log.text.toPlainText().replace("\N{NO-BREAK SPACE}", " ")
    assert f'File "{path}", line 3, in control' in log
    assert "data.ctrl[7] = 1" in log
    assert "IndexError" in log
    assert "app/" not in log.split("Traceback")[1]  # of the file alone
    assert "line 3: IndexError" in window.panels.control.controller.state.text()
    passes(window, qtbot)
    assert simulation_of(window.session)._drivers == {}


def test_a_file_that_cannot_run_says_why(window, qtbot, tmp_path):
    for text, says in (
        ("def control(model, data:\n", "SyntaxError"),
        ("x = 1\n", "no function control"),
        ("import mujoco_of_another_name\n", "ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("def control(model): pass\n", "TypeError"),
    ):
        dropped(window, qtbot, written(tmp_path, text, f"{says.split()[-1]}.py"))
        agreed(window, qtbot)
        passes(window, qtbot, 0.02)
        qtbot.waitUntil(lambda says=says: says in window.panels.control.controller.state.text())
        passes(window, qtbot, 0.02)


@pytest.mark.threaded
@pytest.mark.parametrize(
    "body",
    [
        "while True: pass",
        pytest.param("while True:\n        try: x = 1\n        except Exception: pass", marks=pytest.mark.slow),
    ],
)
def test_a_controller_that_does_not_return_is_stopped(window, qtbot, tmp_path, body):
    dropped(window, qtbot, written(tmp_path, f"def control(model, data):\n    {body}\n"))
    agreed(window, qtbot)
    qtbot.waitUntil(lambda: window.session.part(Controllers).stuck)
    assert "does not return" in window.viewport.error_title
    bar = window.panels.control.controller
    assert "has not returned for 2 s" in bar.state.text()
    painted, began = picture(window.viewport), monotonic()
    assert not painted.isNull()
    assert monotonic() - began < 10
    qtbot.mouseClick(bar.stop, Qt.MouseButton.LeftButton)
    passes(window, qtbot)
    qtbot.waitUntil(lambda: not window.session.part(Controllers).stuck)
    assert window.viewport.error == ""
    assert bar.state.text() == "off: stopped"
    window.session.part(Controllers).run_again()
    qtbot.waitUntil(lambda: window.session.part(Controllers)._script.guard.busy > 0)
    window.close()
    assert "simulation" not in [thread.name for thread in threading.enumerate()]


def test_saved_controller_asks_while_previous_version_runs(window, qtbot, tmp_path):
    path = written(tmp_path, "def control(model, data):\n    data.ctrl[0] = 0.25\n")
    dropped(window, qtbot, path)
    agreed(window, qtbot)
    session = window.session
    passes(window, qtbot)
    assert session.snapshot.ctrl[0] == 0.25
    path.write_text("def control(model, data):\n    data.ctrl[0] = 0.5\n")
    qtbot.waitUntil(window.controlling.trust.isVisible)
    assert "= 0.5" in window.controlling.trust.text.toPlainText()
    passes(window, qtbot)
    assert session.snapshot.ctrl[0] == 0.25
    assert "the previous version keeps running" in window.panels.control.controller.state.text()
    qtbot.mouseClick(window.controlling.trust.refuse, Qt.MouseButton.LeftButton)
    passes(window, qtbot)
    assert session.snapshot.ctrl[0] == 0.25
    path.write_text("def control(model, data):\n    data.ctrl[0] = 0.75\n")
    qtbot.waitUntil(window.controlling.trust.isVisible)
    always = window.controlling.trust.always
    qtbot.mouseClick(always, Qt.MouseButton.LeftButton, pos=QPoint(8, always.height() // 2))
    assert always.isChecked()
    agreed(window, qtbot)
    passes(window, qtbot)
    assert session.snapshot.ctrl[0] == 0.75
    path.write_text("def control(model, data):\n    data.ctrl[0] = 1.0\n")

    def runs_at_once():
        passes(window, qtbot, 0.002)
        return bool(session.snapshot.ctrl[0] == 1.0)

    qtbot.waitUntil(runs_at_once)  # without a question
    assert not window.controlling.trust.isVisible()


def test_controller_survives_reload_and_ends_with_its_model(window, qtbot, tmp_path):
    model = tmp_path / "arm.xml"
    model.write_text(ARM.read_text())
    open_and_wait(qtbot, window.session, model)
    dropped(window, qtbot, written(tmp_path, SINE))
    agreed(window, qtbot)
    with qtbot.waitSignal(window.session.model_loaded):
        model.write_text(ARM.read_text().replace('damping="0.5"', 'damping="0.6"'))
    passes(window, qtbot)
    assert window.session.part(Controllers).running
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    assert not window.session.part(Controllers).running
    passes(window, qtbot, 0.02)


def test_a_question_is_for_the_model_read_again_and_ends_with_it(window, qtbot, tmp_path):
    open_and_wait(qtbot, window.session, ARM)
    window.session.read_again({})
    assert window.session.loads.busy
    dropped(window, qtbot, written(tmp_path, SINE))
    assert window.controlling.trust.model.text() == "For the model arm.xml"
    qtbot.waitUntil(lambda: not window.session.loads.busy)
    trust, controllers = window.controlling.trust, window.session.part(Controllers)
    assert trust.model.text() == "For the model arm.xml"
    open_and_wait(qtbot, window.session, ARM)  # the same one, read again
    assert trust.isVisible()
    told = {"check_params_cb": lambda said: said == "hop.py was not run: it was for arm.xml"}
    with qtbot.waitSignal(window.session.status, **told):
        open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    assert not trust.isVisible()
    trust.accept()
    assert not controllers.running


def test_a_model_and_its_controller_are_dropped_together(window, qtbot, tmp_path):
    path = written(tmp_path, SINE)
    open_and_wait(qtbot, window.session, ARM, lambda: drop(window, ARM, path))
    agreed(window, qtbot)
    passes(window, qtbot)
    assert window.session.snapshot.ctrl[0] != 0


def test_controller_runs_after_generators_and_reads_their_ctrl(window, qtbot, tmp_path):
    dropped(window, qtbot, written(tmp_path, "def control(model, data):\n    data.ctrl[0] += 0.5\n"))
    window.session.part(Generators).set(0, Generator(Shape.STEP, offset=0.25, amplitude=0.0))
    agreed(window, qtbot)
    passes(window, qtbot)
    assert window.session.snapshot.ctrl[0] == 0.75


# ---- parts


def test_what_is_shown_is_what_runs(tmp_path):
    shown = plainly(read(written(tmp_path, "# \u202e reversed\x07\r\ndef control(model, data): pass\n")).text)
    assert "\u202e" not in shown
    assert "U+202E" in shown
    assert "U+0007" in shown
    coded = tmp_path / "coded.py"
    coded.write_bytes(b"# -*- coding: latin-1 -*-\n# \xe9\ndef control(model, data): pass\n")
    with pytest.raises(ControllerError, match="not UTF-8"):
        read(coded)
    with pytest.raises(ControllerError, match="does not exist"):
        read(tmp_path / "missing.py")


def test_trust_is_in_the_contents_and_not_in_the_name(tmp_path):
    store = Settings(tmp_path / "settings.json")
    first = read(written(tmp_path, "a = 1"))
    Trust(store).add(first)
    assert first in Trust(store)
    assert read(written(tmp_path, "a = 2")) not in Trust(store)
    assert read(written(tmp_path, "a = 1", "other.py")) in Trust(store)


def test_the_lines_of_a_traceback_are_those_that_ran(tmp_path):
    path = written(tmp_path, "def control(model, data):\n    raise ValueError('as it was')\n")
    lines = []
    script = Script(read(path), lambda script, text, trace: lines.extend([text, trace]))
    path.write_text("# all other\n# lines\n")
    model, data = loaded(ARM.read_text())
    script.begin(model, data)
    script.write_inputs(model, data)
    script.write_inputs(model, data)  # off by now
    assert lines[0] == "line 2: ValueError: as it was"
    assert "raise ValueError('as it was')" in lines[1]
    assert len(lines) == 2


def test_an_interruption_that_comes_too_late_never_arrives():
    guard, stop, caught = CallGuard(), threading.Event(), []

    def harry():
        while not stop.is_set():
            guard.interrupt()

    thread = threading.Thread(target=harry)
    thread.start()
    try:
        for _ in range(3000):
            try:
                guard.call(lambda: sum(range(20)))
            except Interrupted:
                guard.leave()
                caught.append(1)
    finally:
        stop.set()
        thread.join()
    assert guard.busy == 0
    guard.interrupt()  # nothing is under way
    assert sum(range(1000)) == 499500


def test_a_trace_is_left_by_no_controller_that_ended(window, qtbot, tmp_path):
    dropped(window, qtbot, written(tmp_path, SINE))
    agreed(window, qtbot)
    passes(window, qtbot)
    window.actions_by_name["stop_controller"].trigger()
    data = simulation_of(window.session).data
    qtbot.waitUntil(lambda: simulation_of(window.session)._drivers == {})
    passes(window, qtbot)
    assert window.panels.control.controller.state.text() == "off: stopped"
    assert data.qfrc_applied[0] == 0.25  # what it has written stays: Reset clears it
    window.session.reset()
    qtbot.waitUntil(lambda: data.qfrc_applied[0] == 0)


CALLBACK = """from tumble import physics as mujoco

def push(model, data):
    data.ctrl[0] = 0.5

mujoco.set_mjcb_control(push)

def control(model, data):
    pass
"""


def test_a_callback_that_it_installs_goes_with_it(window, qtbot, tmp_path):
    dropped(window, qtbot, written(tmp_path, CALLBACK))
    agreed(window, qtbot)
    passes(window, qtbot)
    assert simulation_of(window.session).data.ctrl[0] == 0.5
    window.session.part(Controllers).stop()
    passes(window, qtbot)
    assert physics.get_mjcb_control() is None

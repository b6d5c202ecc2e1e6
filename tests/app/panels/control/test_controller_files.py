"""Files of Python beside a model: a new controller is written and runs as it is; functions are asked for and loaded."""

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.pump import let_pass
from tumble import ROOT, physics
from tumble.app.base import settings
from tumble.app.base.settings import EDITOR
from tumble.app.library.examples import EXAMPLES
from tumble.app.panels.control import controllers
from tumble.app.panels.control.controllers import Controllers
from tumble.app.panels.control.script import MOST_NAMED, Script, new_controller, run_functions
from tumble.app.remote import connect
from tumble.app.simulation.controller_file import ControllerError, read
from tumble.physics import MjData, MjModel, mj_step, mjtJoint
from tumble.physics.mjcf.document import digest

pytestmark = pytest.mark.pumped

NO_ACTUATORS = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def actuated(count, name="motor {}", attributes=""):
    motors = "".join(f'<motor name="{name.format(i)}" joint="k" {attributes}/>' for i in range(count))
    return MjModel.from_xml_string(
        f'<mujoco><worldbody><body><joint name="k"/><geom size=".1"/></body></worldbody><actuator>{motors}</actuator></mujoco>'
    )


def run(model, text, tmp_path, steps=125):
    """The data after steps of 2 ms with a controller of this text; fails if the controller does."""
    path, faults = tmp_path / "c.py", []
    path.write_text(text)
    data = MjData(model)
    script = Script(read(path), lambda script, line, trace: faults.append(line))
    script.begin(model, data)
    for _ in range(steps):
        script.write_inputs(model, data)
        mj_step(model, data)
    script.end()
    assert faults == []
    return data


def test_new_controller_swings_first_control_and_holds_others(tmp_path):
    model = actuated(3, attributes='ctrlrange="-4 4"')
    data = run(model, new_controller(model, [1.0, 2.0, -3.0], "arm.xml"), tmp_path)
    quarter = 124 * model.opt.timestep  # time of the last call [s]
    assert np.allclose(data.ctrl, [1.0 + 0.4 * np.sin(2 * np.pi * quarter), 2.0, -3.0], rtol=1e-12)


def test_new_controller_lists_actuators_by_index_name_and_range(tmp_path):
    model = actuated(2, attributes='ctrlrange="-4 4"')
    assert "#   1  'motor 1'  -4 to 4\n" in new_controller(model, model.key_ctrl[:0].ravel().tolist() or [0, 0], "arm.xml")
    many = actuated(MOST_NAMED + 2)
    text = new_controller(many, np.zeros(many.nu), "arm.xml")
    assert (text.count("no range"), "#   and 2 more\n" in text) == (MOST_NAMED, True)
    run(many, text, tmp_path, steps=1)


def test_new_controller_of_a_model_without_actuators_runs(tmp_path):
    model = MjModel.from_xml_string(NO_ACTUATORS)
    run(model, new_controller(model, [], "ball.xml"), tmp_path, steps=2)


@pytest.mark.parametrize("name", ["a&#10;import os", "a&#13;b", "&#x2028;import os", "&quot;&quot;&quot;", "'{}'", "\\n"])
def test_name_in_a_model_never_becomes_code(name):
    model = actuated(1, name.replace("{", "{{").replace("}", "}}"))
    plain = ast.parse(new_controller(actuated(1), [0.0], "arm.xml"))
    assert ast.dump(ast.parse(new_controller(model, [0.0], "arm.xml"))) == ast.dump(plain)
    file = new_controller(model, [0.0], '"""\nimport os\n"""')
    assert [type(node) for node in ast.parse(file).body] == [type(node) for node in plain.body]


def test_example_of_the_page_on_controllers_runs_and_follows(tmp_path):
    page = (Path(__file__).parents[4] / "docs" / "controllers.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL)[1]
    model = MjModel.from_xml_path(str(MODELS / "arm.xml"))
    data = run(model, code, tmp_path, steps=round(2.0 / model.opt.timestep))
    for j in np.flatnonzero(model.jnt_type == mjtJoint.mjJNT_HINGE):
        q = model.jnt_qposadr[j]
        assert data.qpos[q] == pytest.approx(model.qpos0[q] + 0.3 * np.sin(np.pi * data.time + j), abs=0.1)


def chooses(monkeypatch, path):
    """The user's answers to the dialog, and the places that were offered."""
    offered = []

    def answer(parent, title, place, kinds):
        offered.append(place)
        return ("" if path is None else str(path)), kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    return offered


def test_new_controller_is_saved_runs_and_opens_in_editor(window, qtbot, tmp_path, monkeypatch):
    model = Path(shutil.copy(MODELS / "arm.xml", tmp_path))
    path, opened = tmp_path / "arm_controller.py", tmp_path / "opened.txt"
    note = f"import sys; open({str(opened)!r}, 'w').write(' '.join(sys.argv[1:]))"
    window.session.store.put(EDITOR, f"{shlex.quote(sys.executable)} -c {shlex.quote(note)} {{file}} {{line}}")
    open_and_wait(qtbot, window.session, model)
    offered = chooses(monkeypatch, path.with_suffix(""))
    window.actions_by_name["new_controller"].trigger()
    assert offered == [str(path)]
    controllers = window.session.part(Controllers)
    assert (controllers.running, controllers.asked, controllers.source.path) == (True, None, path)
    let_pass(window.session, qtbot, 0.1)
    assert controllers.running, controllers.error
    assert window.session.snapshot.ctrl[0] != 0.0
    qtbot.waitUntil(lambda: opened.is_file() and bool(opened.read_text()))
    where, line = opened.read_text().rsplit(" ", 1)
    assert (where, path.read_text().splitlines()[int(line) - 1].partition("(")[0]) == (str(path), "def control")


def test_bundled_model_offers_the_home_folder(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, EXAMPLES[0].path)
    monkeypatch.setattr("tumble.app.shell.file_choice.home", lambda: tmp_path)
    offered = chooses(monkeypatch, None)
    window.actions_by_name["new_controller"].trigger()
    assert [Path(place).parent for place in offered] == [tmp_path]
    assert not window.session.part(Controllers).running


def test_new_controller_that_cannot_be_written_is_reported(window, qtbot, tmp_path, monkeypatch):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    chooses(monkeypatch, tmp_path / "gone" / "c.py")
    with qtbot.waitSignal(window.controlling.failed) as caught:
        window.actions_by_name["new_controller"].trigger()
    assert caught.args == ["The controller was not written", f"{tmp_path / 'gone' / 'c.py'}: No such file or directory"]


MODEL = """<mujoco><asset><mesh name="ball"><plugin plugin="test.beside"/></mesh></asset><worldbody>
<geom type="plane" size="1 1 1"/><body pos="0 0 0.5"><freejoint/>
<geom type="sdf" mesh="ball"><plugin plugin="test.beside"/></geom></body></worldbody></mujoco>"""
FUNCTIONS = """import math
from tumble import physics

physics.set_sdf("test.beside", lambda p, a: math.hypot(*p) - 0.2, {}, (3.0, 0.25, 0.25))  # wide: few points are asked for
"""


@pytest.fixture
def model(tmp_path):
    yield written(tmp_path / "ball.xml", MODEL)
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


def test_trust_dialog_closes_when_another_model_opens(window, qtbot, model):
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


def test_functions_that_have_run_replace_no_model_that_was_opened_meanwhile(window, qtbot, model, monkeypatch):
    model.with_name("ball.sdf.py").write_text(FUNCTIONS)
    window.session.open(model)
    trust, runs, may_end = window.controlling.trust, threading.Event(), threading.Event()
    monkeypatch.setattr(controllers, "run_functions", lambda source: (runs.set(), may_end.wait(60.0)))
    qtbot.waitUntil(lambda: trust.isVisible() and trust.agree.isEnabled())
    qtbot.mouseClick(trust.agree, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(runs.is_set)
    assert window.controlling.goes_on
    open_and_wait(qtbot, window.session, MODELS / "spin.xml")
    may_end.set()
    qtbot.waitUntil(lambda: not window.controlling.goes_on and not window.session.loads.busy)  # a thread ends after its result
    assert window.session.path == MODELS / "spin.xml"


def run_window(folder, model, trusted, say):
    """The window of `tumble MODEL` with a settings file that trusts these digests; say: called with a client of it."""
    place, place_of_settings = folder / "place.json", folder / "config" / "Tumble" / "settings.json"
    place_of_settings.parent.mkdir(parents=True)
    place_of_settings.write_text(json.dumps({settings.TRUSTED.key: trusted}))
    line = [sys.executable, "-m", "tumble", str(model), "--remote-file", str(place)]
    environment = os.environ | {"XDG_CONFIG_HOME": str(folder / "config"), "XDG_DATA_HOME": str(folder / "data")}
    with subprocess.Popen(line, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while not place.exists() and process.poll() is None:
            sleep(0.05)
        with connect(place) as client:
            say(client)
            client.quit(discard=True)
        return process.communicate()[1], process.returncode


@pytest.mark.parametrize("trusted", [False, True])
def test_functions_next_to_a_model_of_the_command_line_are_asked_for(tmp_path, model, trusted):
    text = FUNCTIONS.encode()
    model.with_name("ball.sdf.py").write_bytes(text)
    paths = []

    def look(client):
        while client.status()["loading"] or (trusted and not client.status()["path"]):
            sleep(0.05)
        paths.append(client.status()["path"])

    said, code = run_window(tmp_path, model, [digest(text)] if trusted else [], look)
    assert code == 0, said
    assert 'plugin "test.beside"' in said
    assert paths == [str(model) if trusted else None]


def test_without_trust_nothing_runs_and_the_error_stays(window, qtbot, model):
    model.with_name("ball.sdf.py").write_text(FUNCTIONS)
    with qtbot.waitSignal(window.session.load_failed) as blocker:
        window.session.open(model)
    assert 'plugin "test.beside"' in blocker.args[0]
    window.controlling.trust.reject()
    assert physics.get_sdf("test.beside") is None


def test_a_file_of_functions_that_raises_is_told_of_once(window, qtbot, model):
    model.with_name("ball.sdf.py").write_text("from tumble import physics\nphysics.nothing\n")
    window.session.open(model)
    qtbot.waitUntil(lambda: window.controlling.trust.isVisible())
    qtbot.waitUntil(window.controlling.trust.agree.isEnabled)
    named = {"check_params_cb": lambda said: "ball.sdf.py" in said}
    with qtbot.waitSignal(window.session.status, **named) as blocker:
        qtbot.mouseClick(window.controlling.trust.agree, Qt.MouseButton.LeftButton)
    assert "line 2" in blocker.args[0]


def test_a_file_of_functions_that_does_not_end_is_ended(tmp_path):
    path = written(
        tmp_path / "ball.sdf.py", "try:\n    while True:\n        pass\nexcept BaseException:\n    while True:\n        pass\n"
    )
    with pytest.raises(ControllerError, match=r"ball\.sdf\.py: was stopped: .* within 0\.1 s"):
        run_functions(read(path), limit=0.1)

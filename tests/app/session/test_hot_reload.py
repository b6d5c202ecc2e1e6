"""Reload on save in the real window: what is kept, what is shown, and hundreds of saves in a row."""

import os
import random
import threading
from pathlib import Path
from time import monotonic

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QPointF, Qt

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.memory import resident
from tests.app.pump import let_pass
from tumble import physics
from tumble.app.base import settings
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.parameters import kind_named
from tumble.app.session.contact_tracking import places
from tumble.app.session.loader import Loader
from tumble.render.camera import CameraKind

pytestmark = pytest.mark.pumped
ARM = (MODELS / "arm.xml").read_text()
# A swing without friction, so that a state that was kept can be told from one that began anew.
SWING = """<mujoco model="swing">
  <option timestep="0.002"/>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -2 1" xyaxes="1 0 0 0 0 1"/>
    <body name="rod" pos="0 0 1">
      <joint name="swing" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.4 0 0" size="0.04"/>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="swing" ctrlrange="-1 1"/></actuator>
</mujoco>
"""


def save_by_rename(path, text):
    beside = path.with_name(f".{path.name}.swp")
    beside.write_text(text)
    os.replace(beside, path)


def save_by_deleting(path, text):
    path.unlink(missing_ok=True)
    path.write_text(text)


def opened(window, qtbot, tmp_path, text=SWING):
    path = written(tmp_path / "model.xml", text)
    open_and_wait(qtbot, window.session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn and not window.session.loads.busy)
    settle(window, qtbot)
    return path


def settle(window, qtbot):
    """Wait until a change that is under way would have begun a load, and loads have ended; time stands meanwhile."""
    session = window.session
    paused = session.paused
    session.set_paused(True)
    qtbot.wait(250)
    qtbot.waitUntil(lambda: not session.loads.busy)
    session.set_paused(paused)


def reloaded(window, qtbot, act):
    with qtbot.waitSignal(window.session.model_loaded):
        act()


@pytest.mark.threaded
def test_hot_reload_keeps_state_and_camera_for_any_save_method(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path)
    session, view = window.session, window.viewport
    session.set_ctrl(0, 0.5)
    qtbot.waitUntil(lambda: session.snapshot.time > 0.5)
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=QPointF(200, 200).toPoint())
    qtbot.mouseMove(view, QPointF(260, 240).toPoint())
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=QPointF(260, 240).toPoint())
    session.select(1)
    session.set_paused(True)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused)
    ways = (Path.write_text, save_by_rename, save_by_deleting)
    for k, save in enumerate((*ways, *ways[::-1])):  # again and again, and one after the other: the watch holds on
        colour = f"{k / 8} 0 1 1"
        camera, state = view.camera, (session.snapshot.time, session.snapshot.qpos[0], session.snapshot.qvel[0])
        text = SWING.replace('size="0.04"', f'size="0.04" rgba="{colour}"')
        reloaded(window, qtbot, lambda text=text, save=save: save(path, text))
        assert (session.snapshot.time, session.snapshot.qpos[0], session.snapshot.qvel[0]) == state
        qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused and view.is_drawn)
        assert (session.snapshot.time, session.snapshot.qpos[0], session.snapshot.qvel[0]) == state
        assert list(session.model.geom_rgba[0]) == [float(x) for x in colour.split()]
        assert view.camera == camera
        assert session.selection == 1
        assert session.snapshot.ctrl[0] == window.panels.control.rows[0].field.value() == 0.5
    before = session.snapshot.time
    session.set_paused(False)
    qtbot.waitUntil(lambda: session.snapshot.time > before + 0.05)


def test_a_fixed_camera_and_a_selection_are_followed_by_name(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path)
    window.session.select(1)
    qtbot.keyClick(window.viewport, Qt.Key.Key_BracketRight)
    assert window.viewport.camera.fixed == 0
    more = '<camera name="top" pos="0 0 4"/><body name="post" pos="1 1 0"><geom size="0.1"/></body><camera name="side"'
    reloaded(window, qtbot, lambda: path.write_text(SWING.replace('<camera name="side"', more)))
    assert window.viewport.camera_name() == "camera side"
    assert window.viewport.camera.fixed == 1
    assert window.session.selection == 2
    other = SWING.replace('name="side"', 'name="front"').replace('"rod" pos', '"bar" pos')
    reloaded(window, qtbot, lambda: path.write_text(other))
    assert window.viewport.camera.kind is CameraKind.FREE
    assert window.session.selection == 0


def test_reload_keeps_chosen_contact_while_its_geoms_exist(window, qtbot, tmp_path):
    ball = '<body name="ball" pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body>'
    text = f'<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>{ball}</worldbody></mujoco>'
    path = written(tmp_path / "ball.xml", text)
    open_and_wait(qtbot, window.session, path)
    session, choice = window.session, window.session.contact_choice
    window.panels.dock("contacts").bring()
    let_pass(session, qtbot, 0.05)
    qtbot.waitUntil(lambda: choice.open and session.snapshot.ncon == 1)
    choice.choose(places(session.loaded_model, session.snapshot)[0], session.snapshot)
    assert choice.pair == (0, 1)
    before = '<body name="post" pos="1 1 1"><geom size=".1"/></body><body name="ball"'
    reloaded(window, qtbot, lambda: path.write_text(text.replace('<body name="ball"', before)))
    assert choice.pair == (0, 2)
    assert choice.carrier == 2
    assert choice.index == 0
    reloaded(window, qtbot, lambda: path.write_text(text.replace('name="ball"', 'name="sphere"').replace("floor", "ground")))
    assert choice.pair is None


def test_broken_save_shows_line_and_old_model_runs_on(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path)
    session, focus = window.session, window.focusWidget()
    model = session.model
    with qtbot.waitSignal(session.load_failed):
        path.write_text(SWING.replace('size="0.04"', 'size="small"'))
    assert "model.xml:8:" in window.viewport.error
    assert session.model is model
    assert window.focusWidget() is focus
    let_pass(session, qtbot, 0.05)
    time = session.snapshot.time
    reloaded(window, qtbot, lambda: path.write_text(SWING))  # as it was: the message goes all the same
    assert window.viewport.error == ""
    assert session.snapshot.time >= time


def test_a_touch_does_nothing_nor_a_save_while_switched_off(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path)
    model = window.session.model
    with qtbot.waitSignal(window.session.load_ended):
        path.write_text(SWING)
    os.utime(path, (1, 1))
    (tmp_path / "other.txt").write_text("not of the model")
    settle(window, qtbot)
    assert window.session.model is model
    switch, model = window.actions_by_name["reload_on_save"], window.session.model
    assert switch.isChecked()
    switch.trigger()
    path.write_text(SWING.replace('size="0.04"', 'size="0.05"'))
    settle(window, qtbot)
    assert window.session.model is model
    assert settings.Settings(tmp_path / "settings.json").get(settings.RELOAD_ON_SAVE) is False
    reloaded(window, qtbot, switch.trigger)
    assert window.session.model.geom_size[0, 0] == 0.05


def test_includes_and_textures_reload_even_if_once_missing(window, qtbot, tmp_path):
    asset = '<asset><texture name="t" type="2d" file="grain.png"/><material name="m" texture="t"/></asset>'
    (tmp_path / "parts").mkdir()
    (tmp_path / "images").mkdir()
    floor = tmp_path / "parts" / "floor.xml"
    floor.write_text('<x><worldbody><geom name="floor" type="plane" size="1 1 1" material="m"/></worldbody></x>')
    picture = tmp_path / "images" / "grain.png"
    Image.new("RGB", (2, 2), (255, 0, 0)).save(picture)
    text = SWING.replace("<worldbody>", f'<compiler texturedir="images"/><include file="parts/floor.xml"/>{asset}<worldbody>', 1)
    path = opened(window, qtbot, tmp_path, text)
    session = window.session
    reloaded(window, qtbot, lambda: Image.new("RGB", (2, 2), (0, 255, 0)).save(picture))
    assert list(session.model.tex_data[:3]) == [0, 255, 0]
    reloaded(window, qtbot, lambda: floor.write_text(floor.read_text().replace("1 1 1", "2 2 1")))
    assert session.model.geom("floor").size[0] == 2
    with qtbot.waitSignal(session.load_failed):
        floor.write_text("<mujocoinclude><worldbody><geom size='x'/></worldbody></mujocoinclude>")
    assert "floor.xml:1:" in window.viewport.error
    with qtbot.waitSignal(session.load_failed):
        path.write_text(text.replace("parts/floor.xml", "parts/new.xml"))
    assert "new.xml" in window.viewport.error
    settle(window, qtbot)
    new = "<mujocoinclude><worldbody><site name='s'/><geom material='m' size='1'/></worldbody></mujocoinclude>"
    reloaded(window, qtbot, lambda: (tmp_path / "parts" / "new.xml").write_text(new))
    assert session.model.nsite == 1
    assert window.viewport.error == ""


def test_model_with_deleted_file_runs_on_and_reloads_later(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path)
    session = window.session
    path.unlink()
    qtbot.waitUntil(lambda: "was deleted" in window.panels.log.text.toPlainText())
    assert window.viewport.error == ""
    with qtbot.waitSignal(session.load_failed):
        window.actions_by_name["reload"].trigger()
    assert "no such file" in window.viewport.error
    before = session.snapshot.time
    let_pass(session, qtbot, 0.05)
    reloaded(window, qtbot, lambda: path.write_text(SWING.replace('size="0.04"', 'size="0.05"')))
    assert session.model.geom_size[0, 0] == 0.05
    assert session.snapshot.time > before


def test_reload_keeps_unsaved_edits_unless_the_file_differs(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path, ARM)
    edits = window.edits
    slide, rod, soft = EditPlace("geom_friction", 1), EditPlace("geom_margin", 1), EditPlace("dof_damping", 0)
    edits.set(slide, (0.3, 0.01, 0.001), "Friction")
    edits.set(rod, (0.02,), "Margin")
    edits.set(soft, (0.7,), "Damping")
    text = ARM.replace('<body name="arm"', '<geom name="new" size="0.1" pos="3 0 0"/><body name="arm"')
    text = text.replace('damping="0.5"', 'damping="0.9"').replace('mass="1"', 'mass="1" margin="0.02"')
    reloaded(window, qtbot, lambda: path.write_text(text))
    moved = EditPlace("geom_friction", 2)
    assert edits.changes() == {moved: ((1.0, 0.005, 0.0001), (0.3, 0.01, 0.001))}
    model = window.session.model
    qtbot.waitUntil(lambda: tuple(model.geom_friction[2]) == (0.3, 0.01, 0.001))
    assert model.dof_damping[0] == 0.9
    qtbot.waitUntil(lambda: "dof_damping: the file has another value" in window.panels.log.text.toPlainText())
    edits.stack.undo()
    assert edits.changes() == {}


def test_saving_edits_does_not_reload_the_running_model(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path, ARM)
    edits, model = window.edits, window.session.model
    edits.set(EditPlace("geom_friction", 1), (0.3, 0.005, 0.0001), "Friction")
    qtbot.mouseClick(window.panels.parameters.bar.write, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(window.panels.parameters.bar.view.isVisible)
    with qtbot.waitSignal(window.session.load_ended):
        qtbot.mouseClick(window.panels.parameters.bar.view.save, Qt.MouseButton.LeftButton)
    assert 'friction="0.3 0.005 0.0001"' in path.read_text()
    assert window.session.model is model
    assert edits.changes() == {}
    assert edits.stack.canUndo()


def test_plots_and_the_element_that_is_looked_at_go_on(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path, ARM)
    panel = window.panels.signals
    panel.dock.bring()
    panel.add("qpos[hinge]")
    window.panels.parameters.look_at(kind_named("geom"), 1)
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: panel.traces.now.count > 20)
    count, first = panel.traces.now.count, panel.traces.now.time[0]
    text = ARM.replace('<body name="arm"', '<geom name="new" size="0.1" pos="3 0 0"/><body name="arm"')
    reloaded(window, qtbot, lambda: path.write_text(text))
    assert window.panels.parameters.choice.current == (kind_named("geom"), 2)
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: panel.traces.now.count > count + 20)
    assert panel.traces.now.time[0] == first
    assert panel.traces.before is None


def version(number, broken):
    """A save that tells its number in the model, and is broken in one of several ways, or not."""
    text = SWING.replace("<worldbody>", f'<custom><numeric name="version" data="{number}"/></custom><worldbody>', 1)
    if broken:
        cut = [text[: len(text) // 2], text.replace("<geom", "<gem", 1), text.replace("0.04", "-1"), "", "<mujoco/"]
        return cut[number % len(cut)]
    return text + f"<!-- {'x' * (number % 7)} -->\n"


def save_under_load(window, qtbot, path, first, last):
    """Random saves, in every manner and at every pace; the model shown is always the last valid one."""
    chance, session = random.Random(first), window.session
    shown = []
    session.model_loaded.connect(lambda: shown.append(int(session.model.numeric_data[0])))
    valid = set()
    for number in range(first, last + 1):
        broken = chance.random() < 0.3 and number < last
        chance.choice([Path.write_text, save_by_rename, save_by_deleting])(path, version(number, broken))
        valid |= set() if broken else {number}
        if chance.random() < 0.05:
            path.unlink()
            qtbot.wait(20)
            path.write_text(version(number, broken))
        qtbot.wait(chance.choice([0, 0, 5, 20, 60]) if chance.random() < 0.9 else 400)
        if number % 50 == 0:  # at rest the last valid one is shown
            path.write_text(version(number, False))
            valid.add(number)
            qtbot.waitUntil(lambda number=number: bool(shown) and shown[-1] == number)
    qtbot.waitUntil(lambda: shown[-1] == last)
    settle(window, qtbot)
    assert window.viewport.error == ""
    assert shown == sorted(shown)
    assert set(shown) <= valid


@pytest.mark.slow
@pytest.mark.threaded
def test_rapid_saves_load_the_newest_one_at_a_time(window, qtbot, tmp_path, monkeypatch):
    run, at_work, alone_at_work = Loader.run, threading.Semaphore(1), list[bool]()

    def alone(loader):
        alone_at_work.append(at_work.acquire(blocking=False))
        try:
            return run(loader)
        finally:
            if alone_at_work[-1]:
                at_work.release()

    monkeypatch.setattr(Loader, "run", alone)
    path = opened(window, qtbot, tmp_path, version(0, False))
    save_under_load(window, qtbot, path, 1, 30)
    assert len(alone_at_work) > 5
    assert all(alone_at_work)  # one load at a time
    before = window.session.snapshot.time
    qtbot.waitUntil(lambda: window.session.snapshot.time > before)


@pytest.mark.fuzz
@pytest.mark.threaded
def test_500_hot_reloads_leak_less_than_10_megabytes(window, qtbot, tmp_path):
    path = opened(window, qtbot, tmp_path, version(0, False))
    save_under_load(window, qtbot, path, 1, 100)  # what is allocated once is there
    before, started = resident(), monotonic()
    save_under_load(window, qtbot, path, 101, 600)
    grown = resident() - before
    print(f"500 saves in {monotonic() - started:.0f} s, memory grew by {grown / 1e6:.1f} MB")  # noqa: T201
    assert grown < 10e6


def test_model_files_have_digests_even_if_loading_fails(tmp_path):
    path = written(tmp_path / "model.xml", '<mujoco><include file="missing.xml"/></mujoco>')
    files = {}
    with pytest.raises(physics.PhysicsError):
        physics.MjModel.from_xml_path(path, files=files)
    assert files[str(path)] != ""
    assert files[str(tmp_path / "missing.xml")] == ""
    (tmp_path / "missing.xml").write_text("<x><worldbody><geom size='1'/></worldbody></x>")
    model = physics.MjModel.from_xml_path(path)
    assert set(model.files) == {str(path), str(tmp_path / "missing.xml")}
    assert len(set(model.files.values())) == 2
    assert np.all([len(text) == 64 for text in model.files.values()])

"""The viewer of a script: the real window in its own process, looked into by remote control."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from tumble import physics
from tumble.__main__ import NO_WINDOW
from tumble.app.remote import Remote, connect, protocol
from tumble.app.simulation import commands
from tumble.app.simulation.perturbation import Grip, GripMode
from tumble.app.viewer import connection
from tumble.app.viewer.connection import WindowError
from tumble.app.viewer.script_simulation import FIELDS, ModelWatch, ScriptSimulation
from tumble.mujoco import mjv_initGeom, viewer

XML = """<mujoco model="cart"><option timestep="0.005" gravity="0 0 0"/><worldbody>
  <light pos="0 0 3"/><geom type="plane" size="2 2 .1"/>
  <body name="cart" pos="0 0 1"><joint name="slide" type="slide" axis="1 0 0"/><geom name="box" type="box" size=".2 .1 .1"/>
  </body></worldbody><actuator><motor name="push" joint="slide"/></actuator></mujoco>"""


@pytest.fixture
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings of the window's process that allow it to be controlled."""
    (tmp_path / "Tumble").mkdir()
    (tmp_path / "Tumble" / "settings.json").write_text('{"remote/on": true}')
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path))


def wait_for(met: Callable[[], bool], work: Callable[[], object] = lambda: None) -> None:
    until = time.monotonic() + 60.0
    while not met():
        assert time.monotonic() < until
        work()
        time.sleep(0.01)


def window_of(handle: viewer.Handle) -> Remote:
    """The window's process, once it shows the model."""
    wait_for(lambda: bool(protocol.windows()) and handle.viewport is not None, handle.sync)
    return connect(protocol.windows()[0])


@contextmanager
def _at_once(handle: viewer.Handle, m: physics.MjModel) -> Iterator[None]:
    """The first changes of a script, before its window has shown anything."""
    handle.cam.distance = 3.25
    m.opt.gravity[1] = 1.0
    handle.sync()
    yield


def test_a_script_and_its_window_show_each_other_what_they_do(own_settings: None) -> None:
    m = physics.MjModel.from_xml_string(XML)
    d = physics.MjData(m)
    with viewer.launch_passive(m, d) as handle, _at_once(handle, m), window_of(handle) as window:
        assert (handle.m, handle.d) == (m, d)
        # What the script changed while the window was opening holds.
        wait_for(lambda: window.read("opt.gravity")["opt.gravity"] == [0.0, 1.0, 0.0], handle.sync)
        for _ in range(20):
            handle.sync()
            time.sleep(0.01)
        assert handle.cam.distance == 3.25
        m.opt.gravity[1] = 0.0
        for _ in range(40):
            physics.mj_step(m, d)
        handle.sync()
        wait_for(lambda: window.read("time")["time"] == d.time)
        # What is set in the window arrives in the script, and its own changes in the window.
        window.set({"ctrl[push]": 0.5, "geom_rgba[box]": [1.0, 0.0, 0.0, 1.0]})
        wait_for(lambda: d.ctrl[0] == 0.5, handle.sync)
        assert m.geom_rgba[1].tolist() == [1.0, 0.0, 0.0, 1.0]
        physics.mj_step(m, d, 20)
        m.opt.gravity[2] = -3.0
        handle.sync()
        wait_for(lambda: window.read("opt.gravity")["opt.gravity"] == [0.0, 0.0, -3.0], handle.sync)
        assert window.read("qpos", "ctrl[push]") == {"qpos": d.qpos.tolist(), "ctrl[push]": 0.5}
        # Steps are the script's; a state that is set in the window becomes the script's state.
        with pytest.raises(Exception, match="a script takes the steps"):
            window.step()
        window.set({"qpos[0]": 0.75})
        wait_for(lambda: d.qpos[0] == 0.75, handle.sync)
        window.reset()
        wait_for(lambda: d.time == 0.0, handle.sync)
        # What a script draws is seen.
        handle.cam.azimuth = 45.0
        handle.opt.geomgroup[0] = 0
        handle.sync()
        hidden = _colours(window)
        sphere, green = physics.mjtGeom.mjGEOM_SPHERE, np.array([0, 1, 0, 1], np.float32)
        mjv_initGeom(handle.user_scn.geoms[0], sphere, np.full(3, 0.3), np.array([0.0, 0, 1]), np.eye(3).ravel(), green)
        handle.user_scn.ngeom = 1
        handle.sync()
        wait_for(lambda: _colours(window) > hidden)
        window.quit(discard=True)
        wait_for(lambda: not handle.is_running())
        assert (handle.m, handle.d, handle.viewport) == (None, None, None)
        handle.sync()  # a window that is gone costs nothing


def _colours(window: Remote) -> int:
    """How many pixels are rather green."""
    from io import BytesIO

    from PIL import Image

    with Image.open(BytesIO(window.picture(80, 60))) as picture:
        pixels = np.asarray(picture).astype(int)
    return int(np.sum(pixels[:, :, 1] > pixels[:, :, 0] + pixels[:, :, 2]))


def test_launch_checks_arguments_and_reports_missing_window(monkeypatch: pytest.MonkeyPatch) -> None:
    m = physics.MjModel.from_xml_string(XML)
    d = physics.MjData(m)
    with pytest.raises(ValueError, match=r"`model` is not a mujoco\.MjModel"):
        viewer.launch_passive(None, d)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"`data` is not a mujoco\.MjData"):
        viewer.launch_passive(m, None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="`key_callback` is not callable"):
        viewer.launch_passive(m, d, key_callback=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="both specified"):
        viewer.launch(m, loader=lambda: (m, d))
    with pytest.raises(ValueError, match="mjModel is not"):
        viewer.launch(None, d)
    no_screen = [sys.executable, "-c", f"raise SystemExit({NO_WINDOW})"]
    monkeypatch.setattr(connection, "command_line", lambda *arguments: no_screen)
    with pytest.raises(WindowError, match="no screen"):
        viewer.launch_passive(m, d)


def test_window_pull_leaves_script_forces_after_it_ends() -> None:
    m = physics.MjModel.from_xml_string(XML)
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    sim = ScriptSimulation(m, d)
    grip = Grip(1, GripMode.TRANSLATE, np.zeros(3), np.array([1.0, 0.0, 1.0]), np.array([1.0, 0, 0, 0]))
    sim.pull(grip)
    assert d.xfrc_applied[1, 0] > 0
    d.qpos[0] = 2.0  # beyond where it is wanted
    physics.mj_forward(m, d)
    sim.pull(grip)
    assert d.xfrc_applied[1, 0] < 0
    sim.pull(None)
    assert not d.xfrc_applied.any()
    d.xfrc_applied[1] = 4.0
    sim.pull(None)
    assert d.xfrc_applied[1, 0] == 4.0


def test_what_does_not_fit_the_model_is_left_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    m = physics.MjModel.from_xml_string(XML)
    d = physics.MjData(m)
    sim = ScriptSimulation(m, d)
    sim.obey(commands.SetCtrl(7, 1.0))
    sim.obey(commands.SetState("nosuch", 0, (1.0,), running=True))
    assert caplog.text.count("asked for something that this model lacks") == 2


def test_every_change_of_a_model_is_told_once() -> None:
    m = physics.MjModel.from_xml_string(XML)
    watch = ModelWatch(m)
    m.opt.timestep = 0.001
    m.body_mass[1] = 7.0
    m.geom_friction[1, 0] = 0.3
    changes: dict[str, np.ndarray] = {}
    for _ in range(1 + 400 // FIELDS):
        changes |= watch.changed()
    assert sorted(changes) == ["body_mass", "geom_friction", "opt_timestep"]
    assert changes["body_mass"][1] == 7.0
    assert not any(watch.changed() for _ in range(1 + 400 // FIELDS))

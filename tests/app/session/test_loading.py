"""Loads end wherever they are cancelled; compiled models and models without their pictures open as others."""

import sys

import numpy as np
import pytest
from PIL import Image

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.faults.writers import noise
from tests.app.rescue.test_report import button, errors
from tumble import physics
from tumble.__main__ import main
from tumble.app.session.loader import LoadCancelled, Loader, LoadRequest, take_first_look
from tumble.app.shell.file_choice import choose
from tumble.physics.compiler import progress as progress_module
from tumble.physics.compiler.workers import Workers

pytestmark = pytest.mark.pumped

# One of everything that can take long: an image, a gradient, a mesh with a hull and a field of distances, muscles, tendons.
MODEL = """<mujoco>
  <asset>
    <texture name="image" type="2d" file="image.png"/>
    <texture name="soft" type="2d" builtin="gradient" width="64" height="64"/>
    <mesh name="rock" file="rock.obj"/>
  </asset>
  <worldbody>
    <body name="a"><freejoint/><geom type="sdf" mesh="rock"/><geom type="mesh" mesh="rock"/></body>
    <body name="b" pos="3 0 0"><joint name="hinge" range="-1 1" limited="true"/><geom size="0.1" pos="1 0 0"/></body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="hinge" coef="1"/></fixed></tendon>
  <actuator><muscle name="m" joint="hinge"/></actuator>
  <compiler><lengthrange uselimit="false" timestep="0.01" inttotal="2" interval="0.5" tolrange="0.5"/></compiler>
</mujoco>"""
LONG = {
    "read",  # of a large image, in pieces
    "_radial", "_assemble", "_simulate", "_set_constants", "_parts", "_show",
}  # fmt: skip
# For workers: how often the load is asked there depends on how fast they are; that it is asked, the last test below shows.
WAITING = {"result", "all_done"}
OF_A_MESH = {  # by workers
    "_do", "begin", "finish", "_grown", "polygons", "vertex_normals", "_split_at", "_balanced", "signed_distances",
}  # fmt: skip


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.setattr(progress_module, "INTERVAL", 0.0)
    monkeypatch.setattr("tumble.physics.compiler.assets.mesh.store.read", lambda name: None)  # no mesh is kept from before
    monkeypatch.setattr("tumble.physics.compiler.compile._SOON", 1000.0)  # no picture before the hulls, however slow they are
    Image.fromarray(noise(300 * 300 * 3).reshape(300, 300, 3)).save(tmp_path / "image.png")
    points = np.random.default_rng(1).normal(size=(12, 3))
    from tumble.physics.compiler.assets.mesh.hull import convex_hull

    rows = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points]
    rows += [f"f {i + 1} {j + 1} {k + 1}" for i, j, k in convex_hull(points).faces.tolist()]
    (tmp_path / "rock.obj").write_text("\n".join(rows))
    return written(tmp_path / "model.xml", MODEL)


def _asking():
    """The function in which the load was asked whether it goes on."""
    frame = sys._getframe(2)
    while frame.f_code.co_name in ("_report", "say", "ask", "tell", "_check"):
        assert frame.f_back is not None
        frame = frame.f_back
    return frame.f_code.co_name


class _Watched(Loader):
    """A load that is cancelled the first time it is asked in a function; seen: in which it was asked, in order."""

    def __init__(self, path, where=""):
        super().__init__(LoadRequest(path), lambda look: None, self._hear)
        self.seen = []
        self._where = where

    def _hear(self, progress):
        pass

    def _check(self):
        name = _asking()
        self.seen.append(name)
        if name == self._where:
            self.cancel()
        super()._check()


def test_load_can_be_cancelled_in_every_long_part(model):
    full = _Watched(model)
    assert full.run() is not None
    assert set(full.seen) >= LONG, LONG - set(full.seen)
    for where in sorted(LONG):
        cut = _Watched(model, where)
        with pytest.raises(LoadCancelled):
            cut.run()
        assert cut.seen[-1] == where
        others = [name for name in full.seen if name not in WAITING]
        assert [name for name in cut.seen if name not in WAITING] == others[: others.index(where) + 1], where


def test_a_load_that_asks_often_reports_seldom(model, monkeypatch):
    monkeypatch.setattr(progress_module, "INTERVAL", 1000.0)
    loader = _Watched(model)
    loader.run()
    assert not {"result", "_radial"} & set(loader.seen)


def test_mesh_workers_check_for_cancel_in_every_part(model, monkeypatch):
    seen = []
    check = Workers._check
    monkeypatch.setattr(Workers, "_check", lambda self, progress=None: (seen.append(_asking()), check(self, progress)))
    Loader(LoadRequest(model), lambda look: None, lambda progress: None).run()
    assert set(seen) >= OF_A_MESH, OF_A_MESH - set(seen)

    loader = Loader(LoadRequest(model), lambda look: None, lambda progress: None)

    def cancel_in_polygons(self, progress=None):
        seen.append(_asking())
        if seen[-1] == "polygons":
            loader.cancel()
            assert self._stopped.wait(60.0)
        check(self)

    seen.clear()
    monkeypatch.setattr(Workers, "_check", cancel_in_polygons)
    with pytest.raises(LoadCancelled):
        loader.run()
    assert seen[-1] == "polygons"


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "arm.tumble-model"
    physics.mj_saveModel(physics.MjModel.from_xml_path(str(MODELS / "arm.xml")), str(path))
    return path


def test_a_compiled_model_runs_as_the_one_that_was_saved(session, saved, qtbot, pump):
    open_and_wait(qtbot, session, saved)
    pump.run(0.2)
    model = physics.MjModel.from_xml_path(str(MODELS / "arm.xml"))
    data = physics.MjData(model)
    snapshot = session.snapshot
    physics.mj_step(model, data, round(snapshot.time / model.opt.timestep))
    assert data.time > 0
    np.testing.assert_array_equal(snapshot.qpos, data.qpos)


def test_a_compiled_model_is_read_again_when_it_has_changed(session, saved, qtbot):
    open_and_wait(qtbot, session, saved)
    digests = dict(session.model.files)
    assert list(digests) == [str(saved)]
    session.read_again(digests)
    with qtbot.waitSignal(session.model_loaded):
        changed = physics.MjModel.from_binary_path(saved)
        changed.opt.timestep = 0.0012
        physics.mj_saveModel(changed, str(saved))
        session.read_again(digests)
    assert session.model.opt.timestep == 0.0012


def test_first_look_shows_the_initial_pose(saved):
    first, again = take_first_look(saved), take_first_look(MODELS / "arm.xml")
    np.testing.assert_array_equal(first.frame.geom_xpos, again.frame.geom_xpos)


def test_a_compiled_model_is_chosen_among_what_is_dropped(saved):
    assert choose([saved.with_name("notes.txt"), saved]).model == saved


XML = """<mujoco><asset><texture name="gone" type="2d" file="gone.png"/><material name="m" texture="gone" rgba="1 0 0 1"/></asset>
<worldbody><body name="b"><joint range="2 1" damping="1"/><geom size=".1" material="m"/></body></worldbody></mujoco>"""


@pytest.fixture
def bare(tmp_path):
    """A model that lacks a picture."""
    return written(tmp_path / "bare.xml", XML)


def test_load_error_offers_to_open_without_assets(window, qtbot, bare):
    session = window.session
    with qtbot.waitSignal(session.load_failed):
        window.open_path(bare)
    dialog = errors(window, qtbot)
    assert "gone.png" in dialog.message.text()
    with qtbot.waitSignal(session.model_loaded):
        button(dialog, "Open without them").click()
    assert (session.model.ntex, session.model.nmat) == (0, 1)
    assert len(session.model.notes) == 2
    assert window.statusBar().currentMessage().endswith(", with 2 notes: see the log")
    with qtbot.waitSignal(session.model_loaded):
        session.reload()  # which it does as it was opened
    assert session.model.ntex == 0
    assert session.bundle.compile().nmat == 1  # and so do replays


def test_other_errors_offer_nothing(window, qtbot):
    with qtbot.waitSignal(window.session.load_failed):
        window.open_path(MODELS / "broken.xml")
    assert not window.session.loads.failure.looks
    assert window.safety.desk.dialog is None


def test_check_prints_notes_once_and_all_unsupported_elements(tmp_path, capsys, caplog):
    odd = written(tmp_path / "odd.xml", XML.replace(' file="gone.png"', ' builtin="flat" width="2" height="2"'))
    assert main(["check", str(odd), "--seconds", "0.01"]) == 0
    assert f"advice: {odd}:2:27: <joint> range is reversed" in capsys.readouterr().out
    assert not [record for record in caplog.records if "is reversed" in record.getMessage()]
    plugin = '<plugin plugin="p"/>'
    odd.write_text(XML.replace("<body ", plugin + "<body ").replace("</mujoco>", f"<actuator>{plugin}</actuator></mujoco>"))
    assert main(["check", str(odd), "--quiet"]) == 2
    stderr = capsys.readouterr().err
    assert stderr.count('<plugin> plugin "p" is unknown') == 2

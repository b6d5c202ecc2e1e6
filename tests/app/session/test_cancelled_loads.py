"""A load ends wherever it is when it is cancelled: in each part that takes long with a large file."""

import sys

import numpy as np
import pytest
from PIL import Image

from tests.app.faults.writers import noise
from tumble.app.session.loader import LoadCancelled, Loader
from tumble.physics.compiler import progress as progress_module
from tumble.physics.compiler.workers import Workers

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
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    return path


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
        super().__init__(path, lambda look: None, self._hear)
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


def test_a_load_is_asked_in_every_part_that_can_take_long_and_ends_there(model):
    whole = _Watched(model)
    assert whole.run() is not None
    assert set(whole.seen) >= LONG, LONG - set(whole.seen)
    for where in sorted(LONG):
        cut = _Watched(model, where)
        with pytest.raises(LoadCancelled):
            cut.run()
        assert cut.seen[-1] == where
        others = [name for name in whole.seen if name not in WAITING]
        assert [name for name in cut.seen if name not in WAITING] == others[: others.index(where) + 1], where


def test_a_load_that_asks_often_reports_seldom(model, monkeypatch):
    monkeypatch.setattr(progress_module, "INTERVAL", 1000.0)
    loader = _Watched(model)
    loader.run()
    assert not {"result", "_radial"} & set(loader.seen)


def test_a_mesh_at_work_is_asked_in_every_part_and_ends_where_the_load_is_cancelled(model, monkeypatch):
    seen = []
    check = Workers._check
    monkeypatch.setattr(Workers, "_check", lambda self, progress=None: (seen.append(_asking()), check(self, progress)))
    Loader(model, lambda look: None, lambda progress: None).run()
    assert set(seen) >= OF_A_MESH, OF_A_MESH - set(seen)

    loader = Loader(model, lambda look: None, lambda progress: None)

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

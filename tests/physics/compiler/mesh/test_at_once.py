"""Meshes of a model are processed on all cores: the model, its errors, notes and progress are those of one core."""

import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.physics.compiler.mesh.shapes import lumpy, obj, stl
from tumble.physics import MjData, MjModel, mj_kinematics
from tumble.physics.compiler import compile as compiling
from tumble.physics.compiler import workers
from tumble.physics.compiler.assets.mesh import asset, store
from tumble.physics.compiler.progress import AssetProgress
from tumble.physics.errors import MjcfError
from tumble.physics.run.program import to_compile
from tumble.physics.state.data import Data

COUNT = 6
VERTICES, FACES = lumpy()


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "directory", lambda: tmp_path / "meshes")


@pytest.fixture
def robot(tmp_path: Path) -> Path:
    """A model of meshes of two kinds, each of a shape of its own."""
    for k in range(COUNT):
        points = VERTICES * (1 + 0.1 * k, 1, 1)
        data = stl(np.tile(points[FACES], (20, 1, 1))) if k % 2 else obj(points, FACES).encode()
        (tmp_path / f"m{k}.{'stl' if k % 2 else 'obj'}").write_bytes(data)
    meshes = "\n".join(f'<mesh name="m{k}" file="m{k}.{"stl" if k % 2 else "obj"}"/>' for k in range(COUNT))
    bodies = "".join(f'<body pos="{3 * k} 0 0"><freejoint/><geom type="mesh" mesh="m{k}"/></body>' for k in range(COUNT))
    path = tmp_path / "robot.xml"
    path.write_text(f"<mujoco><asset>\n{meshes}\n</asset><worldbody>{bodies}</worldbody></mujoco>")
    return path


def _is_same(a: MjModel, b: MjModel) -> bool:
    return all(np.array_equal(array, b._arrays[name]) for name, array in a._arrays.items())


def _slow(monkeypatch: pytest.MonkeyPatch, name: str, delay: Callable[[int], float]) -> None:
    """Have a step of processing take longer, by how many were begun before."""
    original, turns = getattr(asset, name), iter(range(100))

    def later(*arguments: object) -> object:
        time.sleep(max(0.0, delay(next(turns))))
        return original(*arguments)

    monkeypatch.setattr(asset, name, later)


def test_meshes_of_many_cores_are_those_of_one(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "read", lambda key: None)
    monkeypatch.setattr(workers, "cores", lambda: 4)
    _slow(monkeypatch, "begin", lambda turn: 0.02 * (COUNT - turn))  # the last one is the first to be ready
    several = MjModel.from_xml_path(robot)
    monkeypatch.setattr(workers, "cores", lambda: 1)
    assert _is_same(several, MjModel.from_xml_path(robot))


@pytest.mark.parametrize("cores", [1, 4])
def test_the_first_mesh_of_the_file_that_is_wrong_is_named(robot: Path, monkeypatch: pytest.MonkeyPatch, cores: int) -> None:
    monkeypatch.setattr(workers, "cores", lambda: cores)
    _slow(monkeypatch, "read_raw", lambda turn: 0.02 * (COUNT - turn))
    (robot.parent / "m2.obj").write_bytes(obj(VERTICES * (1, 1, 0), FACES).encode())  # flat: has no hull
    (robot.parent / "m3.stl").write_bytes(b"nothing")
    (robot.parent / "m4.obj").unlink()
    for name, line in (("m2.obj", 4), ("m3.stl", 5), ("m4.obj", 6)):
        with pytest.raises(MjcfError, match=rf"robot\.xml:{line}:\d+: <mesh>.*{name}"):
            MjModel.from_xml_path(robot)
        kind = stl(VERTICES[FACES]) if name.endswith("stl") else obj(VERTICES, FACES).encode()
        (robot.parent / name).write_bytes(kind)
    assert MjModel.from_xml_path(robot).nmesh == COUNT


def test_mesh_hull_error_precedes_tree_errors(robot: Path) -> None:
    (robot.parent / "m2.obj").write_bytes(obj(VERTICES * (1, 1, 0), FACES).encode())
    text = robot.read_text().replace("<freejoint/>", '<freejoint/><geom type="mesh"/>', 1)
    robot.write_text(text.replace('"m2.obj"', '"m2.obj" inertia="shell"'))
    with pytest.raises(MjcfError, match=r"robot\.xml:4:\d+: <mesh>"):
        MjModel.from_xml_path(robot)


def test_the_listener_hears_of_meshes_in_order_in_its_own_thread(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "cores", lambda: 4)
    heard: list[AssetProgress] = []
    threads: set[int] = set()

    def listen(progress: AssetProgress) -> None:
        heard.append(progress)
        threads.add(threading.get_ident())

    MjModel.from_xml_path(robot, told=listen)
    assert threads == {threading.get_ident()}
    stages = [(one.stage, one.number) for one in heard]
    assert list(dict.fromkeys(stages)) == [(stage, k + 1) for stage in ("Reading", "Preparing contacts of") for k in range(COUNT)]
    assert [one.done for one in heard] == sorted(one.done for one in heard)


def test_time_is_told_once_there_is_something_to_say() -> None:
    assert str(AssetProgress(3, 4, "a.stl", seconds=0.4)) == "Reading a.stl, 3 of 4"
    assert str(AssetProgress(1, 4, "a.stl", seconds=3.2)) == "Reading a.stl, 1 of 4, 3 s so far"
    assert str(AssetProgress(3, 4, "a.stl", seconds=3.0)) == "Reading a.stl, 3 of 4, 3 s so far, about 9 s left"


def test_a_model_is_seen_before_its_hulls_are_there(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_SOON", 0.0)
    looks: list[tuple[MjModel, Data]] = []
    model = MjModel.from_xml_path(robot, seen=lambda m, d: looks.append((m, d)))
    ((look, data),) = looks
    assert not look.nmeshgraph
    assert not look.mesh_bvhnum.any()
    for name in ("mesh_vert", "mesh_face", "mesh_normal", "geom_size", "geom_pos", "body_mass", "geom_rbound"):
        assert np.array_equal(getattr(look, name), getattr(model, name)), name
    posed = MjData(model)
    mj_kinematics(model, posed)
    assert np.allclose(data.geom_xpos, posed.geom_xpos, atol=1e-12)  # the order of sums
    assert {part.key for part in to_compile(look)} == {part.key for part in to_compile(model)}
    store.settle()
    assert _is_same(model, MjModel.from_xml_path(robot))


def test_a_model_whose_hulls_are_there_soon_is_not_shown_twice(robot: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_SOON", 60.0)
    looks: list[MjModel] = []
    MjModel.from_xml_path(robot, seen=lambda m, d: looks.append(m))
    store.settle()
    monkeypatch.setattr(compiling, "_SOON", 0.0)
    MjModel.from_xml_path(robot, seen=lambda m, d: looks.append(m))
    assert not looks

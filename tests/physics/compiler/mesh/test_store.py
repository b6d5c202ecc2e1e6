"""Meshes are kept on disk by content: found again, made again when damaged, bounded, and never in the way."""

import hashlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.physics.compiler.mesh.shapes import lumpy, stl
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.compiler.assets.mesh.process import MeshShape, Recipe, process
from tumble.physics.compiler.assets.mesh.raw import RawMesh
from tumble.physics.compiler.assets.mesh.solid import CONVEX
from tumble.physics.compiler.pose import IDENTITY, ZERO
from tumble.physics.kernel.digest import ROOT
from tumble.physics.model import MjModel

VERTICES, FACES = lumpy()
XML = ('<mujoco><asset><mesh name="m" file="a.stl"/></asset><worldbody><body><geom type="mesh" mesh="m"/></body></worldbody>'
       "</mujoco>")  # fmt: skip
PROGRAM = """
import pathlib, sys
from tumble import physics
from tumble.physics.compiler.assets.mesh import store
store.directory = lambda: pathlib.Path(sys.argv[2])
physics.MjModel.from_xml_path(sys.argv[1])
"""
DATA = stl(np.tile(VERTICES[FACES], (40, 1, 1)))


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "directory", lambda: tmp_path / "meshes")


def _load() -> MjModel:
    return MjModel.from_xml_string(XML, {"a.stl": DATA})


def _same(a: MjModel, b: MjModel) -> bool:
    names = ("mesh_vert", "mesh_face", "mesh_graph", "mesh_polyvert", "mesh_pos", "mesh_quat", "bvh_aabb", "body_inertia")
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in names)


def _files() -> list[Path]:
    store.settle()
    return sorted(store.directory().glob("*"))


def test_a_mesh_that_was_kept_is_the_mesh_that_was_made(monkeypatch: pytest.MonkeyPatch) -> None:
    first = _load()
    assert len(_files()) == 1
    monkeypatch.setattr("tumble.physics.compiler.assets.mesh.asset.begin", None)  # it is not made again
    assert _same(first, _load())


def test_what_is_done_with_a_mesh_tells_it_from_others() -> None:
    keys = {store.key(DATA + more, kind, recipe, extra) for more, kind, recipe, extra in (
        (b"", "stl", Recipe(), ""), (b"x", "stl", Recipe(), ""), (b"", "obj", Recipe(), ""), (b"", "stl", Recipe(hull=True), ""),
        (b"", "stl", Recipe(scale=(1.0, 1.0, 2.0)), ""), (b"", "stl", Recipe(), "1"))}  # fmt: skip
    assert len(keys) == 6


@pytest.mark.parametrize("damage", [lambda data: b"", lambda data: data[:-9], lambda data: data[:200] + b"x" + data[201:]])
def test_a_damaged_file_counts_as_none(damage: object) -> None:
    first = _load()
    path = _files()[0]
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    assert _same(first, _load())
    assert _files() == [path]
    assert store.read(path.name.removesuffix(store.SUFFIX)) is not None  # made again


def test_files_longest_unused_go_first(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = process(RawMesh(VERTICES.astype(np.float32), FACES.astype(np.int32)), Recipe(hull=True))
    for age, name in enumerate("abc"):
        store.write([(name, shape)])
        os.utime(store.directory() / f"{name}{store.SUFFIX}", (1000 + age, 1000 + age))
    assert store.read("a") is not None  # which makes it the last one used
    monkeypatch.setattr(store, "_capacity", 3 * _files()[0].stat().st_size)
    store.write([("d", shape)])
    assert [path.stem for path in _files()] == ["a", "c", "d"]


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "meshes").write_bytes(b"a file where the folder should be")
    with caplog.at_level(logging.WARNING):
        assert _same(_load(), _load())
        store.settle()
    assert sum("meshes cannot be kept" in record.getMessage() for record in caplog.records) == 1


def test_every_field_is_kept() -> None:
    aside = (VERTICES * (3, 2, 1) + (4, 5, 6)) @ [[0.6, 0.8, 0], [-0.8, 0.6, 0], [0, 0, 1]]
    shape = process(RawMesh(aside.astype(np.float32), FACES.astype(np.int32)), Recipe(hull=True, octree=True, fixed=True))
    assert len(shape.octree.depth)
    assert shape.mass_pos != ZERO
    assert shape.mass_quat != IDENTITY
    store.write([("whole", shape)])
    kept = store.read("whole")
    assert kept is not None
    for field in MeshShape.__struct_fields__:
        one, other = getattr(shape, field), getattr(kept, field)
        if field in ("polygons", "tree", "octree"):
            assert all((getattr(one, name) == getattr(other, name)).all() for name in one.__struct_fields__)
        else:
            assert np.array_equal(one, other)


@pytest.mark.parametrize("change", [lambda data: data[:-8], lambda data: b"", lambda data: data.replace(b"<f4", b"<x4")])
def test_a_whole_file_that_holds_no_mesh_counts_as_none(change: Callable[[bytes], bytes]) -> None:
    """The digest holds: what is in the file was written so."""
    _load()
    path = _files()[0]
    assert store.read(path.stem) is not None
    other = change(path.read_bytes().partition(b"\n")[2])
    path.write_bytes(store._MAGIC + hashlib.sha256(other).hexdigest().encode() + b"\n" + other)
    assert store.read(path.stem) is None


def test_a_model_is_there_before_its_meshes_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    whole = store.write_whole
    monkeypatch.setattr(store, "write_whole", lambda path, content, **how: (go.wait(60.0), whole(path, content, **how)))
    assert _load().nmesh == 1
    assert not list(store.directory().glob(f"*{store.SUFFIX}"))
    go.set()
    assert len(_files()) == 1


def test_a_process_that_ends_at_once_has_kept_its_meshes_whole(tmp_path: Path) -> None:
    (tmp_path / "a.stl").write_bytes(DATA)
    (tmp_path / "m.xml").write_text(XML)
    arguments = [str(tmp_path / "m.xml"), str(store.directory())]
    subprocess.run([sys.executable, "-c", PROGRAM, *arguments], check=True, cwd=ROOT.parent)
    (path,) = _files()
    assert store.read(path.stem) is not None


def test_a_small_mesh_is_kept_only_for_its_hull() -> None:
    small = DATA[:1000]
    assert not store.key(small, "stl", Recipe(), "")
    assert store.key(small, "stl", Recipe(hull=True), "")
    assert store.key(small, "stl", Recipe(inertia=CONVEX), "")  # its mass is that of the hull


@pytest.mark.parametrize(
    ("mesh", "others"),
    [
        ('vertex="0 0 0 1 0 0 0 1 0 0 0 1"', ['vertex="0 0 0 1 0 0 0 1 0 0 0 2"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1"']),
        ('builtin="sphere" params="2"', ['builtin="sphere" params="1"', 'builtin="hemisphere" params="2"']),
    ],
)
def test_a_mesh_without_a_file_is_kept_for_its_hull(monkeypatch: pytest.MonkeyPatch, mesh: str, others: list[str]) -> None:
    def load(mesh: str) -> MjModel:
        return MjModel.from_xml_string(XML.replace('file="a.stl"', mesh))

    first = load(mesh)
    assert len(_files()) == 1
    for number, other in enumerate(others):
        assert not _same(first, load(other))
        assert len(_files()) == 2 + number
    monkeypatch.setattr("tumble.physics.compiler.assets.mesh.asset.begin", None)  # none is made again
    assert _same(first, load(mesh))

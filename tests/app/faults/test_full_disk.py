"""A file system that is full, or read-only: the error says where, the file before stays, and no part of the new one is left."""

import logging
import os
import subprocess

import numpy as np
import pytest

from tests.app.cli.test_render import slide
from tests.app.faults.writers import NAMES, SIZE, noise, writers
from tests.app.film.test_video import decoded
from tumble.app.base import settings
from tumble.app.base.files import FileError
from tumble.app.base.settings import Settings
from tumble.app.cli import main as commands
from tumble.app.film.video import Encoder, VideoError
from tumble.physics.compiler.assets.mesh import store
from tumble.physics.errors import PhysicsError
from tumble.physics.kernel import cache

SMALL = 300  # kB of the file system
BEFORE = b"before"
FULL, LOCKED = "No space left on device", "Read-only file system"


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 300 kB; skipped where this user may not mount one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = _run("mount", "-t", "tmpfs", "-o", f"size={SMALL}k,mode=0777", "tmpfs", str(place))
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip() or mounted.returncode}")
    try:
        yield place
    finally:
        _run("umount", "-l", str(place))


@pytest.fixture
def lock(small_disk):
    """Makes the small disk read-only."""

    def lock_it():
        assert not _run("mount", "-o", "remount,ro", str(small_disk)).returncode

    return lock_it


def _run(*line):
    try:
        return subprocess.run(line, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        return subprocess.CompletedProcess(line, 127, "", str(error))


@pytest.mark.parametrize("name", NAMES)
def test_what_does_not_fit_leaves_the_file_before(small_disk, tmp_path, name):
    path = small_disk / f"out{name}"
    path.write_bytes(BEFORE)
    with pytest.raises((FileError, PhysicsError, OSError), match=FULL) as caught:
        writers(tmp_path)[name](path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == BEFORE
    assert os.listdir(small_disk) == [path.name]


@pytest.mark.parametrize("name", [".tumble-model", ".mjz", ".csv", ".png"])  # one of each way to write
def test_what_may_not_be_written_says_so(small_disk, lock, tmp_path, name):
    path = small_disk / f"out{name}"
    path.write_bytes(BEFORE)
    lock()
    with pytest.raises((FileError, PhysicsError, OSError), match=LOCKED) as caught:
        writers(tmp_path)[name](path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == BEFORE
    assert os.listdir(small_disk) == [path.name]


def test_a_video_on_a_disk_that_fills_ends_with_what_fitted(small_disk):
    encoder = Encoder(small_disk / "out.mp4", 320, 240, 5)
    with pytest.raises(VideoError, match=r"the disk is full: .*; the finished part is in out\.partial\.mp4$"):
        _film(encoder)
    assert len(decoded(small_disk / "out.partial.mp4")) >= 1
    assert os.listdir(small_disk) == ["out.partial.mp4"]


def _film(encoder):
    for _ in range(2000):
        encoder.write(np.resize(noise(SIZE), (240, 320, 3)))
    encoder.finish()


def test_the_command_line_says_which_file_it_could_not_write(small_disk, tmp_path, capsys):
    model, out = slide(tmp_path), small_disk / "out.csv"
    out.write_bytes(BEFORE)
    line = [str(model), "--seconds", "20", "--csv", str(out), "--fields", "qpos,qvel,xpos,xmat", "--quiet"]
    assert commands.run("simulate", line) == 3
    errors = capsys.readouterr().err
    assert errors == f"{out}: cannot be written: {FULL}\n"
    assert out.read_bytes() == BEFORE
    assert os.listdir(small_disk) == ["out.csv"]


@pytest.mark.parametrize("read_only", [False, True])
def test_unsaved_settings_warn_once_and_keep_the_old_file(small_disk, lock, caplog, read_only):
    path = small_disk / "settings.json"
    store = Settings(path)
    store.put(settings.EDITOR, "before")
    store.sync()
    if read_only:
        lock()
    for _ in range(2):
        store.put(settings.MODELS, ["x" * 1000] * 400)
        store.sync()
    warnings = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert warnings == [f"settings cannot be saved: {path}: cannot be written: {LOCKED if read_only else FULL}"]
    assert len(store.get(settings.MODELS)) == 400  # the window lives on with what it has
    assert b'"files/editor": "before"' in path.read_bytes()
    assert path.stat().st_size < 1000


def test_caches_that_are_full_are_told_once_and_hold_no_part(small_disk, caplog, monkeypatch):
    monkeypatch.setenv("TUMBLE_CACHE", str(small_disk / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    code = noise(SIZE).tobytes()
    for _ in range(2):
        cache.write("module:kernel", "ab12", code)
    assert cache.read("module:kernel", "ab12") == code  # in memory
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 1
    assert str(small_disk) in messages[0]
    assert FULL in messages[0]
    assert [path for path in small_disk.rglob("*") if path.is_file()] == []
    assert store.directory().is_relative_to(small_disk)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", NAMES)
def test_write_on_a_full_disk_keeps_the_old_file(small_disk, tmp_path, name):
    path, ballast = small_disk / f"out{name}", small_disk / "ballast"
    write = writers(tmp_path)[name]
    for room in range(0, 290_000, 8192):
        path.write_bytes(BEFORE)
        ballast.write_bytes(bytes(290_000 - room))
        with pytest.raises((FileError, PhysicsError, OSError), match=FULL):
            write(path)
        assert path.read_bytes() == BEFORE
        assert sorted(os.listdir(small_disk)) == ["ballast", path.name]

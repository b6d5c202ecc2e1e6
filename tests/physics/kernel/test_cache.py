"""The cache of compiled kernels heals: whatever is done to it, the program starts, says so in a line, and the next is clean."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tumble.physics.kernel import cache
from tumble.physics.kernel.digest import ROOT

KEY, DIGEST, CODE = "tumble.physics.dynamics.crb:factor_m", "0123456789abcdef", bytes(range(256)) * 40

PROGRAM = """
import logging, sys
logging.basicConfig(level=logging.WARNING, format="%(message)s")
import numpy as np
from tumble import physics
from tumble.physics.dynamics.crb import factor_m
factor_m.address
print(factor_m.cached, "numba" in sys.modules)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty cache of its own, and nothing remembered or said so far."""
    monkeypatch.setenv("TUMBLE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_said", set())
    forget(monkeypatch)
    return tmp_path / "cache"


def forget(monkeypatch):
    monkeypatch.setattr(cache, "_memory", {})


def entry(folder: Path) -> Path:
    return next(folder.rglob("*.kernel"))


def flip_a_bit(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()
    (path / "something").touch()


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "cut off in its first line": lambda path: path.write_bytes(path.read_bytes()[:20]),
    "random": lambda path: path.write_bytes(os.urandom(4000)),
    "one bit flipped": flip_a_bit,
    "a folder": make_folder,
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_damaged_kernel_is_set_aside_said_once_and_made_again(folder, monkeypatch, caplog, damage):
    cache.write(KEY, DIGEST, CODE)
    damage(entry(folder))
    forget(monkeypatch)
    assert cache.read(KEY, DIGEST) is None
    assert len(caplog.messages) == 1
    assert ".damaged" in caplog.messages[0]
    cache.write(KEY, DIGEST, CODE)
    caplog.clear()
    forget(monkeypatch)
    assert cache.read(KEY, DIGEST) == CODE
    assert not caplog.messages


def test_where_nothing_can_be_kept_kernels_live_in_memory_and_that_is_said_once(folder, monkeypatch, caplog):
    folder.write_bytes(b"a file where the cache should be")
    for name in ("a", "b", "c"):
        cache.write(f"tumble.physics.x:{name}", DIGEST, CODE)
    assert cache.read("tumble.physics.x:b", DIGEST) == CODE
    assert len(caplog.messages) == 1
    assert str(folder) in caplog.messages[0]


def test_a_full_disk_is_said_once_and_leaves_no_half_files(folder, monkeypatch, caplog):
    cache.write(KEY, DIGEST, CODE)

    def no_space(source: str, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", no_space)
    for name in ("a", "b"):
        cache.write(f"tumble.physics.x:{name}", DIGEST, CODE)
    assert ["No space left" in message for message in caplog.messages] == [True]
    assert [path.name for path in folder.rglob("*") if path.is_file()] == [entry(folder).name]
    assert cache.read("tumble.physics.x:a", DIGEST) == CODE


def test_a_cache_that_somebody_else_may_write_to_is_not_used(folder, monkeypatch, caplog):
    cache.write(KEY, DIGEST, CODE)
    for place in (folder, entry(folder).parent):
        place.chmod(0o777)
        forget(monkeypatch)
        caplog.clear()
        monkeypatch.setattr(cache, "_said", set())
        assert cache.read(KEY, DIGEST) is None
        assert len(caplog.messages) == 1
        assert "others may write" in caplog.messages[0]
        place.chmod(0o700)
    assert cache.read(KEY, DIGEST) == CODE


def test_versions_stay_beside_each_other_but_not_all_of_them(folder):
    for k in range(cache.VERSIONS + 3):
        cache.write(KEY, f"{k:016}", CODE)
        path = entry(folder).parent / f"factor_m-{k:016}.kernel"
        os.utime(path, (1000.0 + k, 1000.0 + k))
    left = sorted(int(path.stem.rpartition("-")[2]) for path in folder.rglob("*.kernel"))
    assert left == list(range(2, cache.VERSIONS + 3))


@pytest.mark.slow
def test_a_second_process_finds_what_the_first_compiled_and_needs_no_numba(tmp_path):
    env = os.environ | {"TUMBLE_CACHE": str(tmp_path), "TUMBLE_KERNELS": "compile"}

    def run() -> tuple[str, str]:
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=env, cwd=ROOT.parent, capture_output=True, text=True, check=True)
        return done.stdout.strip(), done.stderr.strip()

    assert run() == ("False True", "")
    assert run() == ("True False", "")
    DAMAGES["one bit flipped"](entry(tmp_path))
    state, said = run()
    assert state == "False True"
    assert said.count("\n") == 0
    assert "damaged" in said
    assert run() == ("True False", "")

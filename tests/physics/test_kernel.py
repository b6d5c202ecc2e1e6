"""The kernel cache: right after any edit, and found again by the next process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from physics import kernel
from physics.dynamics.com import com_pos

BUILD = """
from physics.build import build
from physics.dynamics.com import com_pos, com_vel
parts = [com_pos, com_vel]
print(sum(part.kept for part in parts))
told = []
build(parts, told.append)
print(sorted(part.name for part in told), sum(part.kept for part in parts))
com_pos.address
print(com_pos.cached)
"""

PROGRAM = """
from physics.dynamics.crb import factor_m
factor_m.address
print("cached" if factor_m.cached else "compiled")
"""


@pytest.fixture
def fresh_digests():
    kernel.digest.cache_clear()
    yield
    kernel.digest.cache_clear()


def test_an_edit_of_a_callee_in_another_file_rebuilds_exactly_its_callers(monkeypatch, fresh_digests):
    modules = ("physics.dynamics.crb", "physics.dynamics.actuation", "physics.dynamics.kinematics")
    before = {name: kernel.digest(name) for name in modules}
    read = kernel._read

    def edited(module: str) -> tuple[bytes, tuple[str, ...]]:
        source, imports = read(module)
        return (source + b"# edited" if module == "physics.algebra.sparse" else source), imports

    monkeypatch.setattr(kernel, "_read", edited)
    kernel.digest.cache_clear()
    after = {name: kernel.digest(name) for name in modules}
    changed = {name for name in modules if before[name] != after[name]}
    assert changed == {"physics.dynamics.crb", "physics.dynamics.actuation"}  # kinematics uses no sparse matrix


def test_digest_follows_imports_written_in_every_way(fresh_digests):
    assert "physics.algebra.sparse" in kernel._read("physics.dynamics.crb")[1]
    assert "physics.step.table" in kernel._read("physics.step.forward")[1]  # an import list in parentheses


def test_a_second_process_finds_what_the_first_compiled(tmp_path):
    env = os.environ | {"TUMBLE_CACHE": str(tmp_path)}
    root = Path(kernel.__file__).parents[1]
    runs = [subprocess.run([sys.executable, "-c", PROGRAM], env=env, cwd=root, capture_output=True, text=True, check=True).stdout
            for _ in range(2)]
    assert [run.strip() for run in runs] == ["compiled", "cached"]


def test_processes_beside_this_one_compile_into_the_cache(tmp_path):
    env = os.environ | {"TUMBLE_CACHE": str(tmp_path)}
    root = Path(kernel.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", BUILD], env=env, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["0", "['com_pos', 'com_vel'] 2", "True"]
    assert done.stderr == ""


def test_versions_of_a_module_stay_beside_each_other_but_not_all_of_them(tmp_path, monkeypatch):
    monkeypatch.setenv("TUMBLE_CACHE", str(tmp_path))
    module = com_pos.function.__module__
    old = [tmp_path / module / f"version{k}" for k in range(9)]
    for k, path in enumerate(old):
        path.mkdir(parents=True)
        (path / "kernel.nbi").touch()
        os.utime(path, (1000.0 + k, 1000.0 + k))
    kernel._DigestLocator(com_pos.function).ensure_cache_path()
    left = {path.name for path in (tmp_path / module).iterdir()}
    assert left == {kernel.digest(module)} | {path.name for path in old[3:]}

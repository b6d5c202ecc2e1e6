"""The cache of compiled kernels heals: whatever is done to it, the program starts, says so in a line, and the next is clean."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from tumble.physics.kernel import cache, digest
from tumble.physics.kernel.digest import ROOT
from tumble.physics.kernel.load import load

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


def test_unusable_cache_keeps_kernels_in_memory_and_warns_once(folder, monkeypatch, caplog):
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


# Keeps many versions of one kernel, each read back at once and again later, as processes with other sources do.
CROWD = """
import logging, random, sys
logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stdout)
from tumble.physics.kernel import cache
rng, key = random.Random(sys.argv[1]), "module:kernel"
for _ in range(400):
    digest = f"{rng.randrange(20):016x}"
    cache.write(key, digest, digest.encode() * 500)
    cache._memory.clear()
    for wanted in (digest, f"{rng.randrange(20):016x}"):
        cache._memory.clear()
        assert cache.read(key, wanted) in (None, wanted.encode() * 500)
"""


def test_processes_that_share_a_cache_read_whole_kernels_or_none_and_warn_of_nothing(folder):
    line = [sys.executable, "-c", CROWD]
    crowd = [subprocess.Popen([*line, str(k)], cwd=ROOT, stdout=subprocess.PIPE, text=True) for k in range(3)]
    assert [(process.communicate()[0], process.returncode) for process in crowd] == [("", 0)] * 3


@pytest.mark.slow
def test_second_process_loads_cached_kernels_without_numba(tmp_path):
    env = os.environ | {"TUMBLE_CACHE": str(tmp_path), "TUMBLE_KERNELS": "compile"}

    def run() -> tuple[str, str]:
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(command, env=env, cwd=ROOT.parent, capture_output=True, text=True, check=True)
        return done.stdout.strip(), done.stderr.strip()

    assert run() == ("False True", "")
    assert run() == ("True False", "")
    DAMAGES["one bit flipped"](entry(tmp_path))
    state, message = run()
    assert state == "False True"
    assert message.count("\n") == 0
    assert "damaged" in message
    assert run() == ("True False", "")


@pytest.fixture
def fresh_digests():
    digest.forget()
    yield
    digest.forget()


def test_edit_of_an_imported_module_rebuilds_only_its_users(monkeypatch, fresh_digests):
    modules = ("tumble.physics.dynamics.crb", "tumble.physics.dynamics.actuator.actuation", "tumble.physics.dynamics.kinematics")
    before = {name: digest.digest(name) for name in modules}
    read = digest.read

    def edited(module: str) -> tuple[bytes, tuple[str, ...]]:
        source, imports = read(module)
        return (source + b"# edited" if module == "tumble.physics.algebra.sparse" else source), imports

    digest.forget()
    monkeypatch.setattr(digest, "read", edited)
    after = {name: digest.digest(name) for name in modules}
    monkeypatch.undo()
    changed = {name for name in modules if before[name] != after[name]}
    assert changed == set(modules[:2])  # kinematics uses no sparse matrix


def test_digest_follows_imports_written_in_every_way(fresh_digests):
    assert "tumble.physics.algebra.sparse" in digest.read("tumble.physics.dynamics.crb")[1]
    assert "tumble.physics.state.stages" in digest.read("tumble.physics.step.forward")[1]  # an import list in parentheses


def test_a_system_that_ignores_case_finds_the_same_modules(fresh_digests, monkeypatch):
    """There a class Model in an import list is no module model."""

    def ignoring_case(path: str) -> bool:
        folder, name = os.path.split(path)
        return os.path.isdir(folder) and name.lower() in map(str.lower, os.listdir(folder))

    before = digest.digest("tumble.physics.step.forward")
    digest.forget()
    monkeypatch.setattr(os.path, "isfile", ignoring_case)
    assert digest.digest("tumble.physics.step.forward") == before


def test_digests_depend_on_how_kernels_compile_not_on_lookup(fresh_digests):
    assert not any(name.startswith("tumble.physics.kernel") for name in digest.read("tumble.physics.dynamics.crb")[1])
    assert {"tumble.physics.kernel.compile", "tumble.physics.state.view"} <= set(digest.MAKERS)


# A function with a constant to look up, a call of the system's, and so many instructions behind it [bytes].
MODULE = """
module asm ".text"
module asm ".zero {size}"
@table = internal constant [4 x double] [double 1.0, double 2.0, double 4.0, double 8.0]
declare double @cos(double)
define double @looked_up(i64 %i) {{
  %place = getelementptr [4 x double], ptr @table, i64 0, i64 %i
  %value = load double, ptr %place
  %one = call double @cos(double 0.0)
  %sum = fadd double %value, %one
  ret double %sum
}}
"""
# Address space as a big model leaves it: 8 GiB of arrays, above them only gaps of fewer than two pages.
CROWDED = """
import ctypes, mmap
from tests.physics.kernel.test_cache import looked_up
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
def reserve(size):
    return libc.mmap(None, size, 0, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)
looked_up(0)
arrays = reserve(8 << 30)
while reserve(2 * mmap.PAGESIZE) > arrays:
    pass
print([looked_up(100_000)(k) for k in range(4)])
"""


def object_code(size: int) -> bytes:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    machine = llvm.Target.from_default_triple().create_target_machine(reloc="pic")
    return bytes(machine.emit_object(llvm.parse_assembly(MODULE.format(size=size))))


def looked_up(size: int) -> ctypes._CFunctionType:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(load(object_code(size), "looked_up"))


@pytest.mark.skipif(sys.platform != "linux", reason="maps memory as Linux does")
def test_compiled_code_loads_in_fragmented_address_space() -> None:
    """Where its parts were placed one by one, some were 8 GiB from others, and LLVM ended the process."""
    done = subprocess.run([sys.executable, "-c", CROWDED], cwd=ROOT.parent, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "[2.0, 3.0, 5.0, 9.0]"), done.stderr


def test_the_same_code_can_be_loaded_again() -> None:
    assert looked_up(0)(3) == looked_up(0)(3) == 9.0


@pytest.mark.parametrize("code", [b"", b"no object code", object_code(0)])
def test_code_without_the_function_is_an_error(code: bytes) -> None:
    with pytest.raises(RuntimeError, match=r"."):
        load(code, "another")

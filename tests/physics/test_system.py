"""What differs between systems: tried here where it can be, and elsewhere by the name of another system."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path
from time import monotonic, sleep

import numba
import pytest

from tumble.physics.base import clock, system
from tumble.physics.base.clock import now

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="as on Unix")


@pytest.mark.parametrize(
    ("name", "variables", "folder"),
    [
        ("linux", {}, "home/.cache/tumble"),
        ("darwin", {}, "home/Library/Caches/Tumble"),
        ("win32", {"LOCALAPPDATA": "local"}, "local/Tumble/cache"),
        ("win32", {}, "home/AppData/Local/Tumble/cache"),
        ("darwin", {"XDG_CACHE_HOME": "cache"}, "cache/tumble"),
        ("win32", {"XDG_CACHE_HOME": "cache"}, "cache/tumble"),
    ],
)
def test_the_cache_is_where_the_system_has_caches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, variables: dict[str, str], folder: str
) -> None:
    monkeypatch.setattr(sys, "platform", name)
    monkeypatch.setattr(system, "home", lambda: tmp_path / "home")
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    for variable, value in variables.items():
        monkeypatch.setenv(variable, str(tmp_path / value))
    assert system.cache_folder() == tmp_path / folder


@pytest.mark.parametrize(
    ("name", "folder"),
    [("linux", "run/tumble"), ("darwin", "home/Library/Application Support/Tumble/remote"), ("win32", "local/Tumble/remote")],
)
def test_running_programs_meet_in_a_folder_of_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, folder: str
) -> None:
    monkeypatch.setattr(sys, "platform", name)
    monkeypatch.setattr(system, "home", lambda: tmp_path / "home")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    (tmp_path / "run").mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    assert system.runtime_folder() == tmp_path / folder


@POSIX
def test_a_folder_is_private_unless_others_may_write_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    assert system.is_private(tmp_path)
    tmp_path.chmod(0o770)
    assert not system.is_private(tmp_path)
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "getuid", lambda: tmp_path.stat().st_uid + 1)
    assert not system.is_private(tmp_path)


def test_cores_and_memory_are_those_of_this_process() -> None:
    assert 1 <= system.cores() <= (os.cpu_count() or 1)
    assert system.memory_left() > 2**20
    assert system.processor()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the limit of a process is read as on Linux")
def test_memory_that_the_process_may_not_have_does_not_count() -> None:
    program = """
import resource
from tumble.physics.base.system import memory_left
resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))
print(memory_left())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0 < float(done.stdout) < 2**32


@POSIX
def test_a_group_is_killed_with_what_it_has_started(tmp_path: Path) -> None:
    """The shell starts another, which would go on for ten minutes; neither belongs to the group that Ctrl+C reaches."""
    line = ["sh", "-c", f"sleep 600 & echo $! > {tmp_path}/child; wait"]
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **system.own_group())
    end = monotonic() + 60
    while not ((tmp_path / "child").exists() and (tmp_path / "child").read_text().strip()):
        assert monotonic() < end
        sleep(0.01)
    child = int((tmp_path / "child").read_text())
    assert os.getpgid(process.pid) == os.getpgid(child) != os.getpgid(0)
    system.kill_group(process)
    process.wait(60.0)
    while Path(f"/proc/{child}").exists() and "Z" not in Path(f"/proc/{child}/stat").read_text().rpartition(")")[2][:3]:
        assert monotonic() < end
        sleep(0.01)
    system.kill_group(process)  # one that has ended needs no end


@POSIX
def test_a_process_gives_way_and_one_that_has_ended_need_not() -> None:
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    system.give_way(process.pid)
    assert os.getpriority(os.PRIO_PROCESS, process.pid) >= system.NICE
    process.communicate(b"\n")
    system.give_way(process.pid)


@numba.njit
def read(address, number):
    return now(address, number)


def test_a_kernel_reads_the_time_that_python_reads() -> None:
    before = time.perf_counter() - time.monotonic()
    begin = time.monotonic()
    seconds = read(clock.ADDRESS, clock.MONOTONIC)
    end = time.monotonic()
    assert begin <= seconds <= end or begin <= seconds - before <= end  # Windows: perf_counter reads the same counter


@pytest.mark.parametrize("frequency", [10_000_000, 3_000_000_000])
def test_a_counter_is_read_in_seconds_of_its_own_frequency(frequency: int) -> None:
    """As of QueryPerformanceCounter; the larger frequency is no number of 32 bits."""

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int64))
    def count(at: ctypes._Pointer[ctypes.c_int64]) -> int:
        at[0] = 5 * frequency + frequency // 4
        return 1

    address = ctypes.cast(count, ctypes.c_void_p).value
    assert read(address, -frequency) == 5.25


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="as on Linux")
def test_memory_used_grows_with_what_is_kept() -> None:
    before = system.memory_used()
    kept = b"x" * 2**26
    assert system.memory_used() - before > 2**25
    assert len(kept) == 2**26

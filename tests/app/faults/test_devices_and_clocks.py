"""Devices and pipes of the test's own making, clocks that were set, a user without a home, memory that ends."""

import os
import re
import shutil
import stat
import subprocess
import sys
import threading
import time
from datetime import datetime, timedelta

import pytest
from PyQt6.QtCore import QStandardPaths

from tests.app.cli.test_render import ROOT, slide
from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.base import files
from tumble.app.base.files import FileError
from tumble.app.cli import main as commands
from tumble.app.library import unpack
from tumble.app.remote import connect
from tumble.app.rescue import report
from tumble.app.rescue.recovery_dialog import ago
from tumble.app.widgets.form import FileField
from tumble.physics.base.files import home
from tumble.physics.kernel import cache

FULL = "No space left on device"


@pytest.fixture
def full(tmp_path):
    """A device that is always full: the test's own, so that a program that replaces it spoils nothing."""
    path = tmp_path / "full"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        path.open("wb").close()
    except OSError as error:
        pytest.skip(f"no device can be made here: {error.strerror}")
    return path


@pytest.mark.parametrize(
    "write",
    [
        lambda path: files.write_whole(path, b"x"),
        lambda path: files.write_rows(path, [["x"]]),
        lambda path: physics.mj_saveModel(physics.MjModel.from_xml_string("<mujoco/>"), str(path)),
        lambda path: physics.MjSpec().to_file(path),
    ],
)
def test_a_device_that_is_full_is_named_and_stays_a_device(full, write):
    with pytest.raises((FileError, physics.PhysicsError, OSError), match=FULL) as caught:
        write(full)
    assert str(full) in str(caught.value)
    assert stat.S_ISCHR(full.stat().st_mode)
    assert os.listdir(full.parent) == ["full"]


def test_a_pipe_gets_the_rows_and_stays_a_pipe(tmp_path):
    model, pipe, got = slide(tmp_path), tmp_path / "rows", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.extend(pipe.read_text().splitlines()))
    reader.start()
    assert commands.run("simulate", [str(model), "--seconds", "0.04", "--csv", str(pipe), "--quiet"]) == 0
    reader.join(60.0)
    assert len(got) == 11
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_archives_can_be_written_where_the_clock_was_never_set(tmp_path, monkeypatch):
    monkeypatch.setattr(time, "localtime", lambda *seconds: time.gmtime(0))
    report.write(tmp_path / "report.zip", [report.ReportPart("a.txt", "a", b"a")], datetime(1970, 1, 1))
    spec = physics.MjSpec.from_string("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    spec.to_zip(str(tmp_path / "model.zip"))
    assert physics.MjSpec.from_zip(str(tmp_path / "model.zip")).compile().ngeom == 1


def test_clock_set_back_gives_no_age_and_no_taken_file_name(qtbot, tmp_path, monkeypatch):
    now = datetime(2026, 5, 1, 12)
    assert ago(now, now + timedelta(days=30)) == "on 2026-05-31 at 12:00"
    assert ago(now, now + timedelta(seconds=5)) == "a moment ago"

    class Stopped(datetime):
        @classmethod
        def now(cls, tz=None):
            return now

    monkeypatch.setattr("tumble.app.widgets.form.datetime", Stopped)
    field = FileField("Save", [("MP4", ".mp4")])
    qtbot.addWidget(field)
    offered = []
    for _ in range(3):
        field.propose(str(tmp_path), "slide", QStandardPaths.StandardLocation.MoviesLocation)
        offered.append(field.path.name)
        field.path.touch()
    assert offered == [f"slide-20260501-120000{more}.mp4" for more in ("", "-2", "-3")]


def test_nothing_is_timed_by_a_clock_that_can_be_set():
    """Rates, intervals and deadlines read monotonic clocks; ages of files are compared with the clock that dated them."""
    wall = re.compile(r"\btime\.time\(|^from time import .*\btime\b", re.MULTILINE)
    users = [
        str(path.relative_to(ROOT))
        for room in ("app", "physics", "render", "tumble/mujoco") for path in (ROOT / room).rglob("*.py")
        if wall.search(path.read_text())
    ]  # fmt: skip
    assert users == ["app/library/pictures.py"]


@pytest.fixture
def homeless(monkeypatch):
    """A user as only a container has: without HOME, and unknown to the system."""

    def unknown(number):
        raise KeyError(f"getpwuid(): uid not found: {number}")

    for name in ("HOME", "XDG_CACHE_HOME", "TUMBLE_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    monkeypatch.setattr(cache, "_said", set())
    return monkeypatch


def test_a_user_without_a_home_has_places_for_its_files(homeless, tmp_path):
    homeless.setattr("tempfile.tempdir", str(tmp_path))
    assert home() == tmp_path
    assert unpack.root().is_relative_to(tmp_path)
    cache.write("module:kernel", "ab12", b"code")
    cache._memory.clear()
    assert cache.read("module:kernel", "ab12") == b"code"
    assert report.without_home(f"{tmp_path}/a.xml") == "~/a.xml"


def test_a_home_that_cannot_be_written_is_told_once(homeless, caplog):
    homeless.setenv("HOME", "/proc/none")
    for digest in ("ab12", "cd34"):
        cache.write("module:kernel", digest, b"code")
    assert [record.getMessage() for record in caplog.records] == [
        "compiled kernels cannot be kept in /proc/none/.cache/tumble/compiled (No such file or directory); "
        "every start will compile them"
    ]


# Works with so many bytes more than the process has at that moment; says how each went.
STARVED = """
import resource, sys
from pathlib import Path
import numpy as np
from tumble.app.base.files import FileError
from tumble.app.cli import main
from tumble.app.film.offline import save_png
import tumble.app.cli.convert
folder = Path(sys.argv[1])
pixels = np.zeros((4000, 4000, 4), np.uint8)
main.run("convert", [str(folder / "small.xml"), str(folder / "small.npz"), "--quiet"])

def leave(room):
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + room, resource.RLIM_INFINITY))

leave(100_000_000)
print(main.run("convert", [str(folder / "big.xml"), str(folder / "out.npz"), "--quiet"]))
leave(1_000_000)
try:
    save_png(pixels, folder / "out.png")
except (MemoryError, FileError) as error:
    print(type(error).__name__)
"""
BIG = '<mujoco><asset><texture name="t" type="2d" builtin="flat" width="8192" height="8192"/></asset></mujoco>'


def test_out_of_memory_is_reported_and_keeps_existing_files(tmp_path):
    (tmp_path / "big.xml").write_text(BIG)
    (tmp_path / "small.xml").write_text("<mujoco/>")
    for name in ("out.npz", "out.png"):
        (tmp_path / name).write_bytes(b"before")
    line = [sys.executable, "-c", STARVED, str(tmp_path)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert process.stdout.split() in (["2", "MemoryError"], ["3", "MemoryError"])
    assert re.fullmatch(r".*(does not fit in this computer's memory|not enough memory).*\n", process.stderr), process.stderr
    for name in ("out.npz", "out.png"):
        assert (tmp_path / name).read_bytes() == b"before"
    assert sorted(os.listdir(tmp_path)) == ["big.xml", "out.npz", "out.png", "small.npz", "small.xml"]


# The clock of the day goes three hours back and forth every second; other clocks are as they are.
JUMPING = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

static int ask(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, now);
}
static void set(struct timespec *now) {
    struct timespec steady;
    ask(CLOCK_MONOTONIC, &steady);
    now->tv_sec += steady.tv_sec % 2 ? 10800 : -10800;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
    int failed = ask(clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) set(now);
    return failed;
}
int gettimeofday(struct timeval *now, void *zone) {
    struct timespec spec;
    clock_gettime(CLOCK_REALTIME, &spec);
    now->tv_sec = spec.tv_sec;
    now->tv_usec = spec.tv_nsec / 1000;
    return 0;
}
time_t time(time_t *out) {
    struct timespec spec;
    clock_gettime(CLOCK_REALTIME, &spec);
    if (out) *out = spec.tv_sec;
    return spec.tv_sec;
}
"""


@pytest.fixture
def jumping_clock(tmp_path):
    """A library that has the clock of the day jump, for LD_PRELOAD."""
    compiler = shutil.which("gcc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler, or no Linux")
    (tmp_path / "jump.c").write_text(JUMPING)
    line = [compiler, "-shared", "-fPIC", "-o", str(tmp_path / "jump.so"), str(tmp_path / "jump.c"), "-ldl"]
    subprocess.run(line, check=True)
    return tmp_path / "jump.so"


@pytest.mark.slow
def test_a_window_runs_on_while_the_clock_of_the_day_jumps(qapp, jumping_clock, tmp_path):
    place = tmp_path / "place.json"
    line = [sys.executable, "-m", "tumble", str(MODELS / "spin.xml"), "--remote-file", str(place)]
    environment = os.environ | {
        "LD_PRELOAD": str(jumping_clock), "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data"),
    }  # fmt: skip
    with subprocess.Popen(line, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while not place.exists() and process.poll() is None:
            time.sleep(0.05)
        with connect(place) as window:
            while window.status()["loading"]:
                time.sleep(0.05)
            first, begun = window.run(), time.monotonic()
            times = [first["time"]]
            while time.monotonic() - begun < 4.0:  # four jumps
                time.sleep(0.1)
                times.append(window.read("time")["time"])
                assert len(window.picture(64, 48)) > 50
            wall = time.monotonic() - begun
            window.quit(discard=True)
        said, code = process.communicate()[1], process.returncode
    assert (said, code) == ("", 0)
    assert times == sorted(times)
    assert 0 < times[-1] - times[0] < wall + 1.0  # as fast as the wall clock, however slow this computer is

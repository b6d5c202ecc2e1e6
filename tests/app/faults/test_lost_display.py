"""The X server dies, or the graphics driver resets: the window ends with a message, its recording and its last state."""

import os
import shutil
import signal
import subprocess
import sys

import pytest

from tests.app.conftest import MODELS
from tumble import ROOT
from tumble.__main__ import NO_WINDOW
from tumble.app.film import video
from tumble.app.rescue import graphics
from tumble.app.rescue.recovery import take_over

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="servers and drivers of the X window system")]

# The program, which records as soon as the model is drawn, and says so once there are frames and a recovery file.
RECORDING = """
import sys
from pathlib import Path
from PyQt6.QtCore import QTimer
from tumble import __main__ as program
from tumble.app.rescue import recovery
from tumble.app.shell.main_window import MainWindow

film = Path(sys.argv.pop(1))
recovery.INTERVAL = 0.4

class Window(MainWindow):
    def showEvent(self, event):
        super().showEvent(event)
        self.timer = QTimer(self, interval=50)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self):
        recording = self.filming.recording
        if not self.viewport.is_drawn:
            return
        if not recording.active:
            recording.start(film, 320, 240, 25.0, panels=False)
        elif recording.frames > 20 and self.safety.recovery.written:
            self.timer.stop()
            print("recorded", flush=True)

import tumble.app.shell.main_window
tumble.app.shell.main_window.MainWindow = Window
sys.exit(program.main())
"""

# Graphics drivers of the X window system that can be reset: where there is the file that GRAPHICS_RESET names, they were.
RESETTING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void (*Function)(void);
typedef void *(*Create)(void *, void *, void *, int, const int *);
enum { STRATEGY = 0x8256, FLAGS = 0x2094, ROBUST = 4, GUILTY = 0x8253 };

static void *of_gl(const char *name) { return dlsym(dlopen("libGL.so.1", RTLD_NOW), name); }
static unsigned status(void) { return access(getenv("GRAPHICS_RESET"), F_OK) ? 0 : GUILTY; }
static Function ask(const unsigned char *name) {
    static Function (*real)(const unsigned char *);
    if (!real) real = of_gl("glXGetProcAddress");
    return real(name);
}
static void *create(void *display, void *config, void *share, int direct, const int *given) {
    int kept[64], n = 0;
    for (; given && *given && n < 60; given += 2) {
        if (given[0] == STRATEGY) continue;
        kept[n++] = given[0];
        kept[n++] = given[0] == FLAGS ? given[1] & ~ROBUST : given[1];
    }
    kept[n] = 0;
    return ((Create)ask((const unsigned char *)"glXCreateContextAttribsARB"))(display, config, share, direct, kept);
}
static Function find(const unsigned char *name) {
    if (!strcmp((const char *)name, "glGetGraphicsResetStatusARB")) return (Function)status;
    if (!strcmp((const char *)name, "glXCreateContextAttribsARB")) return (Function)create;
    return ask(name);
}
Function glXGetProcAddress(const unsigned char *name) { return find(name); }
Function glXGetProcAddressARB(const unsigned char *name) { return find(name); }
const char *glXQueryExtensionsString(void *display, int screen) {
    static char all[8192];
    const char *(*real)(void *, int) = of_gl("glXQueryExtensionsString");
    snprintf(all, sizeof all, "%s GLX_ARB_create_context_robustness", real(display, screen));
    return all;
}
"""


@pytest.fixture
def resetting_driver(tmp_path):
    """A library by which the driver of a program can be reset, for LD_PRELOAD."""
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    (tmp_path / "reset.c").write_text(RESETTING)
    line = [compiler, "-shared", "-fPIC", "-o", str(tmp_path / "reset.so"), str(tmp_path / "reset.c"), "-ldl"]
    subprocess.run(line, check=True)
    return tmp_path / "reset.so"


def _recording(tmp_path, **environment):
    """The program at work on a recording."""
    line = [sys.executable, "-c", RECORDING, str(tmp_path / "film.mp4"), str(MODELS / "spin.xml")]
    folders = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
    process = subprocess.Popen(
        line, cwd=ROOT, env=os.environ | folders | environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "recorded\n", process.communicate()[1]
    return process


def _assert_kept(tmp_path):
    """The recording has its name and plays, and the next start finds the last state."""
    assert [path.name for path in tmp_path.iterdir() if "film" in path.name] == ["film.mp4"]
    assert video._plays(tmp_path / "film.mp4")
    left, damaged = take_over(next((tmp_path / "data").rglob("recovery")))
    assert [(one.model, one.trace) for one in left] == [("spin.xml", "")]
    assert damaged == []
    left[0].release()


@pytest.fixture
def server():
    """An X server of the test's own, with its display."""
    read, write = os.pipe()
    quiet = subprocess.DEVNULL
    line = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1000x700x24", "-nolisten", "tcp"]
    process = subprocess.Popen(line, pass_fds=[write], stdout=quiet, stderr=quiet)
    os.close(write)
    with os.fdopen(read) as answer:
        display = answer.readline().strip()
    yield process, f":{display}"
    process.kill()
    process.wait()


def test_window_whose_x_server_dies_ends_with_its_recording_and_state(server, tmp_path):
    x_server, display = server
    program = _recording(tmp_path, DISPLAY=display)
    x_server.send_signal(signal.SIGKILL)
    errors = program.communicate(timeout=60.0)[1]
    assert program.returncode == NO_WINDOW, errors
    assert f"{graphics.GONE}. {graphics.LEFT}\n" in errors
    assert "Traceback" not in errors
    _assert_kept(tmp_path)


def test_window_whose_graphics_driver_resets_ends_with_its_recording_and_state(qapp, resetting_driver, tmp_path):
    flag = tmp_path / "reset"
    program = _recording(tmp_path, LD_PRELOAD=str(resetting_driver), GRAPHICS_RESET=str(flag))
    flag.touch()
    errors = ""
    while graphics.LOST not in errors and (line := program.stderr.readline()):
        errors += line
    assert f"{graphics.LOST}. {graphics.LEFT}\n" in errors
    program.terminate()  # the message stands in a dialog, too
    errors += program.communicate(timeout=60.0)[1]
    assert program.returncode == -signal.SIGTERM, errors
    assert "Traceback" not in errors
    _assert_kept(tmp_path)

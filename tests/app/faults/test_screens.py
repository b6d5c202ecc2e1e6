"""The only screen goes and comes while a window runs: it lives, steps and draws."""

import ctypes
import os
import subprocess
import sys
import time
from ctypes import POINTER, c_int, c_uint, c_ulong, c_ushort, c_void_p

import pytest

from tests.app.conftest import MODELS
from tumble import ROOT
from tumble.app.remote import connect

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="screens of the X window system")


class Resources(ctypes.Structure):
    """struct XRRScreenResources."""

    _fields_ = (
        ("timestamp", c_ulong), ("configured", c_ulong), ("ncrtc", c_int), ("crtcs", POINTER(c_ulong)),
        ("noutput", c_int), ("outputs", POINTER(c_ulong)), ("nmode", c_int), ("modes", c_void_p),
    )  # fmt: skip


class Crtc(ctypes.Structure):
    """struct XRRCrtcInfo."""

    _fields_ = (
        ("timestamp", c_ulong), ("x", c_int), ("y", c_int), ("width", c_uint), ("height", c_uint), ("mode", c_ulong),
        ("rotation", c_ushort), ("noutput", c_int), ("outputs", POINTER(c_ulong)), ("rotations", c_ushort),
        ("npossible", c_int), ("possible", POINTER(c_ulong)),
    )  # fmt: skip


class Screen:
    """The only one of a display, by RandR."""

    def __init__(self, display: str) -> None:
        self._x, self._randr = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXrandr.so.2")
        self._x.XOpenDisplay.restype = c_void_p
        self._x.XDefaultRootWindow.restype = c_ulong
        self._randr.XRRGetScreenResources.restype = POINTER(Resources)
        self._randr.XRRGetCrtcInfo.restype = POINTER(Crtc)
        self._display = c_void_p(self._x.XOpenDisplay(display.encode()))
        root = c_ulong(self._x.XDefaultRootWindow(self._display))
        self._resources = self._randr.XRRGetScreenResources(self._display, root)
        self._crtc = c_ulong(self._resources.contents.crtcs[0])
        self._info = self._randr.XRRGetCrtcInfo(self._display, self._resources, self._crtc).contents

    def set_on(self, on: bool) -> None:
        """Connect it, as it was, or take it away."""
        info, none = self._info, POINTER(c_ulong)()
        mode = (c_int(info.x), c_int(info.y), c_ulong(info.mode), c_ushort(info.rotation), info.outputs, c_int(info.noutput))
        off = (c_int(0), c_int(0), c_ulong(0), c_ushort(1), none, c_int(0))
        now = c_ulong(0)
        failed = self._randr.XRRSetCrtcConfig(self._display, self._resources, self._crtc, now, *(mode if on else off))
        self._x.XSync(self._display, c_int(0))
        assert not failed


@pytest.fixture
def screen(qapp):
    try:
        found = Screen(os.environ["DISPLAY"])
    except (OSError, KeyError, IndexError, ValueError) as error:
        pytest.skip(f"no screen that can be taken away: {error}")
    yield found
    found.set_on(True)


@pytest.mark.slow
def test_a_window_lives_while_its_screen_goes_and_comes(screen, tmp_path):
    place = tmp_path / "place.json"
    line = [sys.executable, "-m", "tumble", str(MODELS / "spin.xml"), "--remote-file", str(place)]
    environment = os.environ | {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "data")}
    with subprocess.Popen(line, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        while not place.exists() and process.poll() is None:
            time.sleep(0.05)
        with connect(place) as window:
            while window.status()["loading"]:
                time.sleep(0.05)
            window.run()
            for on in (False, True, False, True):
                screen.set_on(on)
                before = window.read("time")["time"]
                window.step(5)
                assert len(window.picture(64, 48)) > 50
                assert window.run()["time"] > before
            window.quit(discard=True)
        said, code = process.communicate()[1], process.returncode
    assert code == 0, said
    assert "Traceback" not in said

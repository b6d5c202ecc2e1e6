"""A window starts empty, with the file of the last one, whatever its settings are; and the test of an installation."""

import json
import logging
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from PyQt6 import sip
from PyQt6.QtCore import QCoreApplication

from tests.app.conftest import MODELS, open_and_wait, opened_window, written
from tumble.app.base import settings
from tumble.app.base.log_relay import LogRelay
from tumble.app.base.settings import ALL, Settings
from tumble.app.library.examples import FIRST
from tumble.app.panels.table import PANELS
from tumble.app.replay.replay_view import camera_to
from tumble.app.session.session import Session
from tumble.app.shell import curtain
from tumble.app.shell.curtain import PICTURES, Opening
from tumble.app.shell.main_window import MainWindow
from tumble.app.shell.reopening import Reopening
from tumble.app.shell.smoke_test import REPORT, SmokeTest
from tumble.render.camera import Camera, CameraKind

ARM = MODELS / "arm.xml"


@contextmanager
def _started(qtbot, settings, opening):
    window = MainWindow(Settings(settings), LogRelay(), None, opening)
    try:
        window.show()
        bars = window.menuBar(), window.toolbar, window.statusBar()
        qtbot.waitUntil(lambda: window.viewport.isValid() and all(bar is not None and bar.isVisible() for bar in bars))
        qtbot.waitUntil(lambda: window.viewport.y() > window.toolbar.height())  # below both, once they are laid out
        qtbot.waitUntil(lambda: any(dock.is_made for dock in window.docks))  # all that are in sight are made at once
        yield window
    finally:
        window.cleanup()
        if not sip.isdeleted(window):
            sip.delete(window)


def _places(window):
    """Where the view and the docks are, which of them are open, and whose panels exist."""
    widgets = {"view": window.viewport} | {dock.objectName(): dock for dock in window.docks}
    rectangles = {name: widget.geometry().getRect() for name, widget in widgets.items() if widget.isVisible()}
    return rectangles | {f"{dock.objectName()} is made": () for dock in window.docks if dock.is_made}


def test_a_window_seen_empty_gets_the_first_or_last_layout(qtbot, tmp_path):
    with _started(qtbot, tmp_path / "other.json", Opening("humanoid.xml")) as window:
        empty = _places(window)
    with _started(qtbot, tmp_path / "settings.json", None) as window:
        assert _places(window) == empty  # of a first start, which is shown complete
        for key in ("control", "parameters", "options"):
            window.panels.dock(key).hide()
        window.resize(700, 500)  # which the screen has room for
        window.panels.dock("inspector").bring()
        window.close()
    kept = []
    for opening in (None, Opening()):
        with _started(qtbot, tmp_path / "settings.json", opening) as window:
            kept.append((window.size(), _places(window)))
    assert kept[0] == kept[1]
    assert "control" not in kept[0][1]


def test_a_window_says_what_it_opens_before_it_is_complete(qtbot, tmp_path, monkeypatch):
    pictures = []

    def look(window, opening):
        raise_on(window, opening)
        shown = window.centralWidget()
        assert window.isVisible()
        assert isinstance(shown, curtain.Curtain)
        assert not hasattr(window, "session")
        pictures.append(shown.grabFramebuffer())

    raise_on = curtain.raise_on
    monkeypatch.setattr(curtain, "raise_on", look)
    for name in ("humanoid.xml", "", "humanoid.xml"):
        with _started(qtbot, tmp_path / "settings.json", Opening(name)) as window:  # panels come where there is no model too
            assert {dock.objectName() for dock in window.docks if dock.is_made} == {"joints", "control"}
            assert not window.viewport.is_drawn
    assert pictures[0] == pictures[2] != pictures[1]


@pytest.mark.usefixtures("no_threads_left")
def test_panels_are_made_once_the_model_has_been_seen_moving(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(curtain, "LATEST", 60_000)
    window = MainWindow(Settings(tmp_path / "settings.json"), LogRelay(), None, Opening(ARM.name, curtain.import_contents()))
    moved = []  # at each picture of the model until there are panels
    built = lambda: [dock.objectName() for dock in window.docks if dock.is_made]  # noqa: E731

    def look():
        if window.viewport.is_drawn and not built():
            moved.append(window.session.snapshot is not None and window.session.snapshot.time > 0)

    window.viewport.frameSwapped.connect(look)
    try:
        window.show()
        window.open_path(ARM)
        assert not built()
        qtbot.waitUntil(lambda: len(built()) == 2)
        assert len(moved) >= PICTURES - 1
        assert moved[-1]
        assert window.panels.joints.isVisible()
    finally:
        window.cleanup()
        sip.delete(window)


class View:
    """What of the viewport matters here: four views."""

    def __init__(self):
        self.all = [SimpleNamespace(camera=Camera()) for _ in range(4)]
        self.tiles = self

    @property
    def camera(self):
        return self.all[0].camera

    @camera.setter
    def camera(self, camera):
        self.all[0].camera = camera

    def set_camera(self, camera, tile):
        tile.camera = camera


@pytest.fixture
def store(tmp_path):
    return Settings(tmp_path / "settings.json")


def started(session, store):
    """As in a separate process."""
    view = View()
    session.store = store
    return Reopening(session, view), view


def closed(session, store, path, camera=None):
    """A window with this file was closed."""
    reopening, view = started(session, store)
    view.camera = camera or view.camera
    view.all[2].camera = replace(view.camera, azimuth=77.0)
    reopening.end(path)


def test_start_restores_last_file_and_cameras(session, store, qtbot):
    camera = replace(Camera(), azimuth=12.5, distance=3.25, lookat=(1.0, 2.0, 0.5))
    closed(session, store, ARM, camera)
    reopening, view = started(session, store)
    path = reopening.begin()
    assert path == ARM
    open_and_wait(qtbot, session, path)
    assert view.camera == camera
    assert view.all[2].camera == replace(camera, azimuth=77.0)
    store.put(settings.CAMERA, [camera_to(replace(camera, azimuth=3.0))])  # as older versions have kept it
    reopening._look_as_before()
    assert [one.camera.azimuth for one in view.all] == [3.0, 90.0, 77.0, 90.0]
    view.camera = Camera()
    open_and_wait(qtbot, session, ARM)  # opened by hand: the model's own camera
    assert view.camera == Camera()


def test_a_camera_that_the_file_no_longer_has_is_left_out(session, store, qtbot):
    closed(session, store, ARM, replace(Camera(), kind=CameraKind.FIXED, fixed=17))
    reopening, view = started(session, store)
    open_and_wait(qtbot, session, reopening.begin())
    assert view.camera == Camera()


def test_first_start_opens_the_bundled_scene_silently(session, store, qtbot, caplog):
    reopening, _ = started(session, store)
    open_and_wait(qtbot, session, reopening.begin())
    assert session.path == FIRST.path
    assert not caplog.records or all(record.levelname == "INFO" for record in caplog.records)


def test_file_open_during_a_crash_is_not_reopened(session, store, qtbot):
    closed(session, store, ARM)
    died, _ = started(session, store)
    assert died.begin() == ARM  # and then the process is gone
    died._path = None  # it hears nothing any more
    reopening, _ = started(session, Settings(store.folder / "settings.json"))
    path = reopening.begin()
    assert path == FIRST.path
    with qtbot.waitSignal(session.status, check_params_cb=lambda text: "arm.xml was not reopened" in text):
        session.open(path)


@pytest.mark.parametrize(("name", "says"), [("broken.xml", "does not load"), ("gone.xml", "no longer exists")])
def test_unreadable_last_file_falls_back_to_bundled_scene(session, store, qtbot, name, says):
    closed(session, store, MODELS / name)
    reopening, _ = started(session, store)
    with qtbot.waitSignal(session.status, check_params_cb=lambda text: says in text):
        session.open(reopening.begin())
    assert session.path == FIRST.path


@pytest.mark.parametrize("name", ["/" + "x" * 5000, "a\0b", "[{", "//" * 3000])
def test_a_name_that_no_file_can_have_is_one_that_is_not_there(session, store, name):
    store.put(settings.LAST, name)
    reopening, _ = started(session, store)
    assert reopening.begin() == FIRST.path


def test_a_window_that_closes_at_once_is_told_nothing(qtbot, store, worker):
    store.put(settings.LAST, "/nowhere.xml")
    session = Session(worker=worker)
    reopening, _ = started(session, store)
    reopening.begin()
    reopening._on_loaded()
    assert session.close()
    with qtbot.captureExceptions() as exceptions:
        sip.delete(session)
        QCoreApplication.processEvents()
    assert not exceptions


OTHERS = (-0.5, [1, 2], [[]], {"a": 1}, "text", None, True)


@pytest.mark.pumped
@pytest.mark.parametrize("wrong", [60, *(pytest.param(value, marks=pytest.mark.slow) for value in OTHERS)])
def test_the_window_starts_with_a_wrong_value_in_every_key(qtbot, tmp_path, no_threads_left, worker, wrong):
    written(tmp_path / "settings.json", json.dumps({setting.key: wrong for setting in ALL}))
    remark, told = "Some stored settings were not understood: see Log", []
    with opened_window(qtbot, tmp_path, worker) as window:
        window.session.status.connect(told.append)
        window.reopening.begin()
        window.panels.open([panel.key for panel in PANELS])
        open_and_wait(qtbot, window.session, MODELS / "arm.xml")
        qtbot.waitUntil(lambda: wrong is None or any(remark in text for text in told))
        assert sum(text.count(remark) for text in told) == (wrong is not None)
        window.layouts.dialog.close()
        window.preferences.dialog.show()
        window.preferences.dialog.close()


@pytest.mark.parametrize("fault", ["a scene that does not load", "an error that the window survives"])
def test_an_installation_is_failed_by_any_error(window, qtbot, tmp_path, fault):
    test = SmokeTest(window, tmp_path)
    test.start()
    with qtbot.waitSignal(test.ended) as ended:
        if fault == "a scene that does not load":
            window.open_path(tmp_path / "missing.xml")
        else:
            logging.getLogger("tumble.app").error(fault)
    assert ended.args == [1]
    failure = json.loads((tmp_path / REPORT).read_text())["failure"]
    assert failure == fault if "error" in fault else "missing.xml" in failure

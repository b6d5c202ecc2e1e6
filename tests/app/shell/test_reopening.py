"""What a start without a file opens, and what it leaves alone."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from PyQt6 import sip
from PyQt6.QtCore import QCoreApplication

from tests.app.conftest import MODELS, open_and_wait
from tumble.app.base import settings
from tumble.app.base.settings import Settings
from tumble.app.library.examples import FIRST
from tumble.app.replay.view import camera_to
from tumble.app.session.session import Session
from tumble.app.shell.reopening import Reopening
from tumble.render.camera import Camera, CameraKind

ARM = MODELS / "arm.xml"


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


def test_a_start_comes_back_to_the_file_and_the_camera_of_the_window_closed_last(session, store, qtbot):
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


def test_the_first_start_of_all_opens_the_bundled_scene_without_a_word(session, store, qtbot, caplog):
    reopening, _ = started(session, store)
    open_and_wait(qtbot, session, reopening.begin())
    assert session.path == FIRST.path
    assert not caplog.records or all(record.levelname == "INFO" for record in caplog.records)


def test_a_file_whose_window_was_not_closed_is_not_opened_by_itself_again(session, store, qtbot):
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
def test_a_last_file_that_cannot_be_opened_gives_way_to_the_bundled_scene(session, store, qtbot, name, says):
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
    with qtbot.captureExceptions() as found:
        sip.delete(session)
        QCoreApplication.processEvents()
    assert not found

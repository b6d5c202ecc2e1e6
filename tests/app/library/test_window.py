"""Archives, the model library and the examples in the window."""

import zipfile

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QListView

from tests.app.conftest import MODELS, drop, open_and_wait
from tumble import physics
from tumble.app.base import settings
from tumble.app.editing.edits import EditPlace
from tumble.app.library import lookup, pictures, unpack
from tumble.app.library.examples import EXAMPLES
from tumble.app.library.folders import VARIABLE, ModelSource
from tumble.app.library.pictures import Pictures
from tumble.physics import MjData, MjModel
from tumble.render.camera import initial_camera, view_of

pytestmark = pytest.mark.pumped

BALL = '<mujoco><worldbody><body><freejoint/><geom size="{size}"/></body></worldbody></mujoco>'


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    for module in (pictures, unpack):
        monkeypatch.setattr(module, "cache_folder", lambda: tmp_path / "cache")


def pack(path, size):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("toy/ball.xml", BALL.format(size=size))
    return path


def test_dropped_archive_reloads_on_repack_and_names_errors(window, qtbot, tmp_path):
    path = pack(tmp_path / "toy.zip", "0.1")
    open_and_wait(qtbot, window.session, path, lambda: drop(window, path))
    assert window.windowTitle() == "toy.zip:toy/ball.xml[*] — Tumble"
    assert window.session.store.get(settings.RECENT) == [f"{path}:toy/ball.xml"]
    window.edits.set(EditPlace("geom_margin", 0), (0.01,), "Margin")
    window.panels.parameters.bar.ask()
    qtbot.waitUntil(window.panels.parameters.bar.view.isVisible)
    assert not window.panels.parameters.bar.view.save.isEnabled()
    assert "is in an archive" in window.panels.parameters.bar.view.save.toolTip()
    window.panels.parameters.bar.view.reject()
    with qtbot.waitSignal(window.session.model_loaded):
        pack(path, "0.2")  # as a script that exports a robot does
    assert window.session.model.geom_size[0, 0] == 0.2
    with qtbot.waitSignal(window.session.load_failed) as failed:
        pack(path, "none")
    assert failed.args[0].startswith(f"{path}:toy/ball.xml:1:")
    pack(path, "0.3")
    qtbot.waitUntil(lambda: window.session.model.geom_size[0, 0] == 0.3)
    open_and_wait(qtbot, window.session, path, window.session.reload)


def test_archive_of_several_models_asks_which_to_open(window, qtbot, tmp_path):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("large.xml", BALL.format(size=0.3))
        archive.writestr("small.xml", BALL.format(size=0.1))
    with qtbot.waitSignal(window.session.load_failed):
        window.open_path(tmp_path / "two.zip")
    bar = window.statusBar()
    assert "holds 2 models: large.xml, small.xml" in bar.currentMessage()
    assert window.viewport.error == ""  # a question is no error
    choice = window.library.choice
    assert choice.comboBoxItems() == ["large.xml", "small.xml"]
    names = choice.findChild(QListView)
    model = names.model()
    area = names.viewport()
    small = names.visualRect(model.index(1, 0)).center()
    qtbot.mouseClick(area, Qt.MouseButton.LeftButton, pos=small)
    open_and_wait(qtbot, window.session, tmp_path, lambda: qtbot.mouseDClick(area, Qt.MouseButton.LeftButton, pos=small))
    assert window.windowTitle() == "two.zip:small.xml[*] — Tumble"


def test_library_searches_opens_and_manages_folders(window, qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(Pictures, "want", lambda pictures, paths: None)
    real = lookup.sources
    monkeypatch.setattr(lookup, "sources", lambda stored: ([ModelSource("examples", "Examples", ())], []))
    pack(tmp_path / "toy.zip", "0.1")
    window.actions_by_name["library"].trigger()
    library = window.library.dialog
    qtbot.waitUntil(lambda: library.shelf.rowCount() > 0)
    assert "Add a folder" in library.remark.text()  # there are only the examples
    monkeypatch.setattr(lookup, "sources", real)
    library.add_folder(tmp_path)
    library.search.setText("TOY")
    qtbot.waitUntil(lambda: library.shelf.rowCount() == 2)
    row = library.view.chosen()
    assert row.model is not None
    assert row.source.title == str(tmp_path)
    port, place = library.view.viewport(), library.view.visualRect(library.view.currentIndex()).center()
    qtbot.mouseClick(port, Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(port, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: window.session.model is not None)
    assert window.windowTitle() == "toy.zip:toy/ball.xml[*] — Tumble"
    assert library.isHidden()
    library.forget.click()
    assert window.session.store.get(settings.MODELS) == []
    qtbot.waitUntil(lambda: library.shelf.rowCount() == 0)
    assert "No model has “TOY”" in library.remark.text()


def test_thumbnails_are_cached_and_bad_model_has_a_reason(qtbot, tmp_path):
    models = [MODELS / "arm.xml", MODELS / "broken.xml", tmp_path / "gone.xml"]
    first = Pictures()
    first.want(models)
    qtbot.waitUntil(lambda: all(first.known(path) for path in models))
    known = [first.known(path) for path in models]
    assert [picture is not None and picture.image is not None for picture in known] == [True, False, False]
    assert known[1] is not None
    assert "broken.xml:3:" in known[1].reason
    first.stop()
    again = Pictures()
    again.want(models)
    qtbot.waitUntil(lambda: not again.waiting)  # too soon for any process
    assert again._process is None
    assert [again.known(path) for path in models[1:]] == known[1:]


# The view of a window of 1280 x 800 with the panels that are open at first; hidden groups of geoms begin with HIDDEN.
WIDTH, HEIGHT, HIDDEN = 694, 700, 3
# Whose large meshes take long to compile, and whose cameras were chosen by eye.
SLOW = ("arm.xml", "tendons.xml", "gallery.xml", "nut.xml")
SIDES = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def outline(model, data, geom):
    """Points (n,3) around a geom: the corners of its box, or of a sphere what is farthest along the axes."""
    if model.geom_type[geom] == physics.mjtGeom.mjGEOM_SPHERE:
        return data.geom_xpos[geom] + model.geom_size[geom, 0] * np.vstack([np.eye(3), -np.eye(3)])
    local = model.geom_aabb[geom, :3] + SIDES * model.geom_aabb[geom, 3:]
    return local @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]


@pytest.mark.slow
def test_examples_open_with_all_that_moves_in_sight():
    for example in (example for example in EXAMPLES if example.file not in SLOW):
        model = MjModel.from_xml_path(str(example.path))
        data = MjData(model)
        physics.mj_forward(model, data)
        moving = np.flatnonzero((model.body_weldid[model.geom_bodyid] != 0) & (model.geom_group < HIDDEN))
        points = np.vstack([data.flexvert_xpos, *(outline(model, data, g) for g in moving)])
        seen = view_of(initial_camera(model), model, data, WIDTH / HEIGHT).project(points, WIDTH, HEIGHT)
        assert (seen[:, :2] >= 0).all(), example.file
        assert (seen[:, :2] <= (WIDTH, HEIGHT)).all(), example.file

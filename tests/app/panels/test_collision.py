"""The collision panel in the real window: two geoms, why they collide or not, and the search step by step."""

from types import SimpleNamespace

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QBoxLayout

from tests.app.conftest import open_panel, picture, written
from tumble.app.editing.edits import EditPlace
from tumble.app.panels.collision.collision_panel import HINT, hint
from tumble.app.panels.collision.look import sketch
from tumble.app.session.requests import AskPair
from tumble.app.viewport.figures import Drawing
from tumble.physics.observe.collision_steps import SearchKind
from tumble.physics.state.enums import mjtObj

pytestmark = pytest.mark.pumped

SCENE = """
<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="one" pos="0 0 .5"><freejoint/><geom name="can" type="cylinder" size=".2 .3"/></body>
  <body name="two" pos=".1 0 .9" euler="20 30 40"><freejoint/><geom name="egg" type="ellipsoid" size=".3 .2 .2"/></body>
  <body name="three" pos="1 0 .5"><freejoint/><geom name="quiet" type="box" size=".2 .2 .2" contype="2" conaffinity="2"/></body>
</worldbody>
<contact>
  <exclude name="never" body1="one" body2="three"/>
</contact></mujoco>"""


@pytest.fixture
def panel(window, qtbot, pump, tmp_path):
    """The panel open over the scene, which stands."""
    return open_panel(qtbot, window, "collision", written(tmp_path / "scene.xml", SCENE), paused=True)


def ask(window, qtbot, panel, first, second):
    model = window.session.model
    with qtbot.waitSignal(panel.look.seen) as seen:
        window.session.ask(AskPair(model.geom(first).id, model.geom(second).id))
    return seen.args[0]


def test_collision_search_is_stepped_and_drawn_in_view(window, qtbot, panel):
    seen = ask(window, qtbot, panel, "can", "egg")
    record, drawing = seen.check.record, window.session.part(Drawing)
    assert "They collide: 1 contact." in panel.answer_text.text()
    assert record.dist == pytest.approx(window.session.snapshot.contact("dist")[0], abs=1e-12)
    assert panel.slider.maximum() == len(record.steps) - 1 == panel.slider.value()
    assert "polytope" in panel.table.text()
    last = drawing.figures
    drawn = picture(window.viewport)
    panel.slider.setFocus()
    qtbot.keyClick(panel.slider, Qt.Key.Key_Home)
    assert panel.place.text() == f"1/{len(record.steps)}"
    assert record.steps[0].kind is SearchKind.WALK
    assert "distance walk (GJK), 1 of" in panel.table.text()
    assert drawing.figures != last
    assert picture(window.viewport) != drawn
    qtbot.mouseClick(panel.on, Qt.MouseButton.LeftButton)
    assert panel.slider.value() == 1
    before = window.viewport.camera.distance
    qtbot.mouseClick(panel.centre, Qt.MouseButton.LeftButton)
    step = record.steps[1]
    assert window.viewport.camera.lookat == pytest.approx(0.5 * (step.point1 + step.point2))
    assert window.viewport.camera.distance < before
    panel.dock.close()
    assert drawing.figures == ()


def test_two_geoms_that_do_not_collide_are_told_why_and_followed(window, qtbot, panel):
    seen = ask(window, qtbot, panel, "can", "quiet")
    text = panel.answer_text.text()
    assert [reason.name for reason in seen.check.reasons] == ["MASKS", "EXCLUDED", "TOO_FAR"]
    assert "They do not collide." in text
    assert "contype 2 (bits 10)" in text
    assert "&lt;exclude&gt; never (scene.xml:8)" in text
    assert "0.6 m apart" in text
    assert panel.first.currentText() == "can"
    assert panel.second.currentText() == "quiet"
    assert "TOO_FAR" in [r.name for r in ask(window, qtbot, panel, "egg", "quiet").check.reasons]
    with qtbot.waitSignal(panel.look.seen) as seen:
        window.edits.set(EditPlace("geom_margin", window.session.model.geom("quiet").id), (2.0,), "margin")
    assert "TOO_FAR" not in [r.name for r in seen.args[0].check.reasons]
    ask(window, qtbot, panel, "can", "egg")
    panel.slider.setValue(1)
    ask(window, qtbot, panel, "egg", "quiet")
    assert panel.slider.value() == panel.slider.maximum()
    for width, halves, parts in (
        (800, Qt.Orientation.Horizontal, QBoxLayout.Direction.LeftToRight),
        (500, Qt.Orientation.Vertical, QBoxLayout.Direction.LeftToRight),
        (360, Qt.Orientation.Vertical, QBoxLayout.Direction.TopToBottom),
    ):
        panel.resize(width, 400)
        assert panel._halves.orientation() == halves
        assert panel._parts.direction() == parts


def test_two_geoms_are_chosen_by_name_and_by_clicks_in_the_view(window, qtbot, panel, monkeypatch):
    window.actions_by_name["collision"].trigger()
    assert panel.first.hasFocus()
    for combo in (panel.first, panel.second):
        combo.lineEdit().setText("can")
        combo.lineEdit().editingFinished.emit()
    assert "two different geoms" in panel.answer_text.text()
    panel.second.lineEdit().setText("egg")
    with qtbot.waitSignal(panel.look.seen):
        panel.second.lineEdit().editingFinished.emit()
    model, left = window.session.model, Qt.MouseButton.LeftButton
    shots = iter([model.geom("can").id, model.geom("egg").id])

    class Shot:
        objtype, body, localpos = int(mjtObj.mjOBJ_GEOM), 1, (0.0, 0.0, 0.0)

        def __init__(self):
            self.geom = next(shots)

    monkeypatch.setattr(window.viewport.looking, "pick", lambda where, *kinds: Shot())
    at = window.viewport.rect().center()
    with qtbot.waitSignal(panel.look.seen) as seen:
        qtbot.mouseDClick(window.viewport, left, pos=at)
        qtbot.mouseDClick(window.viewport, left, Qt.KeyboardModifier.ShiftModifier, at)
    assert {seen.args[0].check.geom1, seen.args[0].check.geom2} == {model.geom("can").id, model.geom("egg").id}
    assert window.session.contact_choice.index == 0  # it is the contact that is chosen everywhere


def test_figures_of_a_step_are_its_records_and_of_its_moment(window, qtbot, panel, pump):
    record = ask(window, qtbot, panel, "can", "egg").check.record
    for step in record.steps:
        figures = sketch(record, step)
        dots = [tuple(p) for figure in figures for p in figure.points]
        assert all(tuple(p) in dots for p in (step.on1[step.newest], step.on2[step.newest]))
    answer = sketch(record, None)
    assert tuple(record.point1) in [tuple(p) for figure in answer for p in figure.points]
    assert window.viewport.view().project(answer[0].points, 100, 100).shape == (2, 3)
    drawing = window.session.part(Drawing)
    assert drawing.figures
    with qtbot.waitSignal(panel.look.seen) as seen:
        pump.step(3)
        assert drawing.figures == ()
    assert drawing.figures
    assert seen.args[0].moment[0] == window.session.snapshot.time


def test_a_measurement_is_stopped_or_names_every_tested_pair(window, qtbot, panel):
    page = panel.times
    page.measure()
    assert page.button.text() == "Stop"
    page.stop()
    assert page._background.wait(60.0)
    qtbot.wait(20)
    assert page.tree.topLevelItemCount() == 0
    assert page.button.text() == "Measure"
    panel.pages.setCurrentIndex(1)
    qtbot.mouseClick(page.button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.tree.topLevelItemCount() > 0)
    assert page.button.text() == "Measure"
    assert page.state.text() == "at 0.000 s"
    assert page.summary.text().startswith("A collision takes ")
    kind = page.tree.topLevelItem(0)
    assert kind.text(0) == "ellipsoid \N{EN DASH} cylinder, 1\N{MULTIPLICATION SIGN}"
    pair = kind.child(0)
    with qtbot.waitSignal(panel.look.seen):
        page.tree.setCurrentItem(pair)
    model = window.session.model
    assert set(window.session.contact_choice.pair) == {model.geom("can").id, model.geom("egg").id}


def test_where_there_are_flexes_the_panel_says_how_they_collide():
    assert hint(SimpleNamespace(nflex=0)) == HINT
    assert "collides by its elements" in hint(SimpleNamespace(nflex=1))

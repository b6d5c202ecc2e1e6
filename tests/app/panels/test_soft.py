"""Soft bodies in the window: picked and pulled at a vertex, coloured, edited with undo, and what limits the time step shown."""

import numpy as np
import pytest
from PyQt6 import sip
from PyQt6.QtCore import QPointF, Qt

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.mouse import Mouse, on_screen
from tumble.app.editing.edits import EditPlace, Edits
from tumble.app.panels.soft.look import Legend, SoftQuantity, colours_of, reach_of
from tumble.app.panels.soft.soft_panel import limit_words
from tumble.app.viewport.figures import Drawing
from tumble.physics.observe.soft_strain import ELEMENT, StepLimit

pytestmark = pytest.mark.pumped
CLOTH = """<mujoco><option timestep="0.002"/><statistic center="0 0 .5" extent="1"/><worldbody><light pos="0 0 3"/>
    <flexcomp name="sheet" type="grid" dim="2" count="7 7 1" spacing=".1 .1 .1" pos="0 0 .6" radius=".01" mass=".5"
    rgba=".9 .2 .2 1"><elasticity young="3e4" poisson=".2" thickness=".01" damping=".002" elastic2d="stretch"/>
    <contact selfcollide="none" internal="false"/><pin gridrange="0 0 0 6"/><pin gridrange="6 0 6 6"/></flexcomp>
    </worldbody></mujoco>"""


@pytest.fixture
def cloth(window, qtbot, tmp_path, pump):
    """A sheet that hangs between two sides, running."""
    path = written(tmp_path / "cloth.xml", CLOTH)
    open_and_wait(qtbot, window.session, path)
    qtbot.waitUntil(lambda: window.viewport.is_drawn)
    return path


def _points(window):
    return window.session.snapshot.frame.flexvert_xpos.copy()


def test_ctrl_drag_lifts_cloth_by_vertex_under_mouse(window, cloth, pump):
    pump.run(0.2)
    session, mouse, ctrl = window.session, Mouse(window.viewport), Qt.KeyboardModifier.ControlModifier
    before = _points(window)
    at = on_screen(window.viewport, before[24])
    hit = window.viewport.looking.pick(at)
    assert (hit.flex, hit.vertex) == (0, 24)
    mouse.press(at, keys=ctrl)
    assert session.selection == hit.body == session.loaded_model.flex_vertbodyid[24]
    mouse.move(at - QPointF(0, 0.25 * window.viewport.height()), keys=ctrl)
    pump.run(0.6)
    lifted = _points(window)
    assert lifted[24, 2] > before[24, 2] + 0.1
    assert lifted[17, 2] > before[17, 2] + 0.02  # what is next to it comes along
    assert np.isfinite(lifted).all()
    assert not window.session.snapshot.warning_number.any()
    mouse.release(at, keys=ctrl)
    pump.run(1.0)
    assert _points(window)[24, 2] < before[24, 2] + 0.05


def test_rows_may_be_replaced_while_one_of_them_signals(window, qtbot, cloth):
    window.panels.dock("soft").bring()
    panel, edits = window.panels.soft, window.session.part(Edits)
    before = panel.rows
    edits.changed.connect(lambda place: panel._build())  # as for another model
    field = next(row.fields[0] for row in panel.rows if row.parameter.attribute == "damping")
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    field.selectAll()
    qtbot.keyClicks(field, "0.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert edits.value(EditPlace("flex_damping", 0)) == (0.5,)
    assert panel.rows is not before
    qtbot.waitUntil(lambda: all(map(sip.isdeleted, before)))


def test_numbers_are_changed_limits_named_and_elements_coloured(window, qtbot, cloth, pump):
    window.panels.dock("soft").bring()
    panel, edits = window.panels.soft, window.session.part(Edits)
    place = EditPlace("flex_damping", 0)
    row = next(row for row in panel.rows if row.parameter.field == place.field)
    row.changed.emit((0.01,))
    pump.run(0.02)
    assert window.session.loaded_model.flex_damping[0] == 0.01
    edits.stack.undo()
    pump.run(0.02)
    assert window.session.loaded_model.flex_damping[0] == 0.002
    fields = [row.parameter.field for row in panel.rows]
    assert fields == ["flex_young", "flex_poisson", "flex_thickness", "flex_damping", "flex_radius"]
    model = window.session.loaded_model
    before = np.array(model.flex_stiffness)
    panel.rows[0].changed.emit((6e4,))
    pump.run(0.02)
    np.testing.assert_allclose(model.flex_stiffness, 2 * before, rtol=1e-9, atol=1e-12)
    edits.stack.undo()
    pump.run(0.02)
    np.testing.assert_allclose(model.flex_stiffness, before, rtol=1e-9, atol=1e-12)
    drawing = window.session.part(Drawing)
    qtbot.waitUntil(lambda: "Stiffest: element" in panel.limit.text())
    assert "Hz" in panel.limit.text()
    panel.show_it.click()
    assert [len(figure.points) for figure in drawing.figures] == [4, 3]
    limit = panel.look.limits[0]
    np.testing.assert_array_equal(drawing.figures[1].points, _points(window)[list(limit.vertices)])
    panel.show_it.click()
    assert not drawing.figures
    extras, dock = window.session.extras, window.panels.dock("soft")
    assert [panel.choice.itemText(i) for i in range(panel.choice.count())] == ["sheet"]
    pump.run(0.3)
    panel.colour.setCurrentIndex(panel.colour.findText(SoftQuantity.STRAIN.value))
    qtbot.waitUntil(lambda: extras.colours is not None and panel.legend.reach > 1e-6)
    assert extras.colours.shape == (window.session.loaded_model.nflexelem, 4)
    assert panel.legend.isVisible()
    assert panel.legend.read()[-1].endswith("%")
    assert len({tuple(row) for row in extras.colours.tolist()}) > 5
    dock.close()
    assert extras.colours is None


TWO = """<mujoco><worldbody><flexcomp name="rope" type="grid" dim="1" count="3 1 1" spacing=".1 .1 .1" mass="1"><pin id="0"/>
    </flexcomp><flexcomp name="cube" type="grid" dim="3" count="4 4 4" spacing=".1 .1 .1" pos="0 0 .5" radius=".01" mass="1">
    <elasticity young="1e4"/><contact selfcollide="none" internal="false"/></flexcomp></worldbody></mujoco>"""


def test_soft_panel_follows_selection_and_cycles_flex_layers(window, qtbot, tmp_path, pump):
    (path := tmp_path / "two.xml").write_text(TWO)
    open_and_wait(qtbot, window.session, path)
    window.panels.dock("soft").bring()
    panel, view, model = window.panels.soft, window.viewport, window.session.loaded_model
    assert panel.choice.currentText() == "rope"
    window.session.select(model.body("cube_21").id)
    assert panel.choice.currentText() == "cube"
    window.session.select(0)
    assert panel.choice.currentText() == "cube"
    view.set_option("flex_face", on=True)
    for name in ("flex_skin", "flex_edge"):
        view.set_option(name, on=False)
    messages = []
    window.session.status.connect(messages.append)
    for _ in range(5):
        window.actions_by_name["flex_layer"].trigger()
        view.repaint()
    assert messages == [f"Flex layer {k} of 4" for k in (2, 3, 4, 1, 2)]
    hit = view.looking.pick(on_screen(view, window.session.snapshot.frame.flexvert_xpos[21 + 3]))
    assert model.flex_elemlayer[model.flex_elemadr[hit.flex] + hit.element] == 1


@pytest.mark.parametrize(("step", "bad", "share"), [(0.002, False, "50 %"), (0.008, True, "200 %")])
def test_the_limit_is_told_against_the_present_step(step, bad, share):
    words, is_bad = limit_words(StepLimit(ELEMENT, 7, (1, 2, 3), 80.0, 0.004), step)
    assert is_bad is bad
    assert "element 7, 80 Hz" in words
    assert share in words
    assert limit_words(None, step) == ("No elastic force limits the time step", False)


def test_soft_colours_span_the_range_and_mark_nan_grey():
    colours = colours_of
    strain = colours(SoftQuantity.STRAIN, np.array([-2.0, 0.0, 2.0, np.nan]), 2.0)
    assert strain[0, 2] > strain[0, 0]  # pressed: blue
    assert strain[2, 0] > strain[2, 2]  # pulled: red
    assert strain[1, :3].min() > 200
    assert tuple(strain[3]) == (128, 128, 128, 255)
    assert reach_of(np.array([0.0, -3.1, 2.0])) == 5.0
    assert reach_of(np.zeros(4)) == 1e-12


def test_soft_panel_follows_models_with_and_without_flexes(window, qtbot, cloth):
    window.panels.dock("soft").bring()
    panel = window.panels.soft
    assert panel.rows
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    assert not panel.rows
    assert panel.flex == -1
    open_and_wait(qtbot, window.session, cloth)
    assert panel.choice.currentText() == "sheet"
    assert panel.rows


@pytest.mark.parametrize("width", [120, 250, 330, 600])
@pytest.mark.parametrize("quantity", [SoftQuantity.STRAIN, SoftQuantity.ENERGY, SoftQuantity.CONTACT])
def test_legend_labels_fit_without_overlap(qtbot, quantity, width):
    legend = Legend()
    qtbot.addWidget(legend)
    legend.resize(width, legend.sizeHint().height())
    legend.show_scale(quantity, 1.2345e-5)
    places = legend.places()
    assert places[-1][1] == legend.read()[-1]  # with its unit
    for k, (place, _) in enumerate(places):
        assert place.right() <= width
        assert place.left() >= 0
        assert not any(place.intersects(other) for other, _ in places[:k])

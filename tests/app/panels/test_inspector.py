"""The model dock in the real window: elements are found, their numbers typed, and the physics follows."""

import shutil
from pathlib import Path
from time import thread_time

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLineEdit

from tests.app.conftest import MODELS, open_and_wait, open_panel, written
from tests.app.mouse import spot_of
from tests.app.pump import let_pass, simulation_of
from tests.crowds import figures
from tumble import physics
from tumble.app.describe.signals import Catalogue
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.parameters import exact
from tumble.app.editing.patch import make
from tumble.app.panels.inspector.element_tree import KINDS, ModelTree, TreeNode, detail
from tumble.app.panels.inspector.field_table import VALUE
from tumble.app.panels.inspector.inspection import dotted, entries
from tumble.physics.state.fields import MODEL

pytestmark = pytest.mark.pumped
SOFT, BOXES, ARM = MODELS / "soft.xml", MODELS / "boxes.xml", MODELS / "arm.xml"
LEFT = Qt.MouseButton.LeftButton


def opened(window, qtbot, path=SOFT):
    """The dock in front of the others, and a model that stands."""
    panel = open_panel(qtbot, window, "inspector", path, paused=True)
    qtbot.waitUntil(lambda: panel.view.nodes.model is window.session.model)
    return panel


def obeyed(window, qtbot):
    """All that was asked for is carried out, and shown."""
    qtbot.waitUntil(lambda: window.session.is_obeyed)


def click(panel, prefix, index):
    """Click an element in the tree."""
    node = panel.view.nodes.find(prefix, index)
    rows = panel.view.tree
    place = panel.view._rows.place(node)
    rows.scrollTo(place)
    QTest.mouseClick(rows.viewport(), LEFT, pos=rows.visualRect(place).center())
    assert panel.view.current is node


def edited(panel, field):
    """Double-click the numbers of a field; the line to type in, None: it does not open."""
    table = panel.table
    item = table.item_of(field)
    table.scrollToItem(item)
    where = table.visualRect(table.indexFromItem(item, VALUE)).center()
    QTest.mouseClick(table.viewport(), LEFT, pos=where)
    QTest.mouseDClick(table.viewport(), LEFT, pos=where)
    return typing(panel)


def typing(panel):
    """The line that is typed in now."""
    port = panel.table.viewport()
    return next((line for line in port.findChildren(QLineEdit) if line.isVisible()), None)


def typed(window, qtbot, field, text):
    """Type numbers, Enter, and wait until the simulation has them."""
    line = edited(window.panels.inspector, field)
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: typing(window.panels.inspector) is None)  # Qt commits with the next event
    obeyed(window, qtbot)


def shown(panel, field):
    item = panel.table.item_of(field)
    return item.text(VALUE)


def settle(window, qtbot, seconds):
    session = window.session
    count = round(seconds / session.model.opt.timestep)
    until = session.snapshot.time + seconds
    session.step(count)
    qtbot.waitUntil(lambda: session.snapshot.time > until - 1e-9)


def test_a_body_and_a_search_reveal_elements_in_the_tree(window, qtbot):
    panel = opened(window, qtbot)
    QTest.keyClicks(panel.view.search, "geom box")
    QTest.keyClick(panel.view.search, Qt.Key.Key_Return)
    node, box = panel.view.current, window.session.model.geom("box").id
    assert (node.kind.prefix, node.index) == ("geom", box)
    assert window.session.selection == window.session.model.body("box").id
    assert [n.name for n in panel.view.nodes.roots] == ["world"]  # what it hangs on stays in view
    assert panel.view.tree.isExpanded(panel.view._rows.place(node.parent))
    assert shown(panel, "geom_friction") == "1 0.005 0.0001"
    qtbot.waitUntil(lambda: shown(panel, "geom_xpos") == "0 0 0.1")  # though time stands still
    assert panel.table.item_of("geom_size") is not None
    panel.view.search.clear()
    qtbot.waitUntil(lambda: len(panel.view.nodes.roots) > 4)
    assert panel.view.current is node
    click(panel, "geom", 0)  # something else is shown
    view, model = window.viewport, window.session.model
    box, arm = model.body("box").id, model.body("arm").id
    QTest.keyClicks(panel.view.search, "floor")
    qtbot.waitUntil(lambda: panel.view.nodes.find("body", box) not in panel.view.nodes.roots[0].shown)
    qtbot.waitUntil(lambda: view.is_drawn)
    where = spot_of(view, body=box)
    QTest.mouseClick(view, LEFT, pos=where)
    QTest.mouseDClick(view, LEFT, pos=where)
    qtbot.waitUntil(lambda: window.session.selection == box)
    assert panel.view.current is panel.view.nodes.find("body", box)  # the search that hid it has ended
    assert "<b>box</b>" in panel.title.text()
    click(panel, "jnt", 1)
    assert window.session.selection == arm
    click(panel, "geom", 0)
    assert window.session.selection == 0  # the floor is the world's


def test_mass_edit_changes_contact_force_and_is_undoable(window, qtbot):
    panel = opened(window, qtbot)
    session, model = window.session, window.session.model
    box = model.body("box").id
    before = {f.name: np.array(getattr(model, f.name)) for f in MODEL if f.unit != "address"}

    def force():
        settle(window, qtbot, 3.0)
        return float(session.snapshot.contact("force")[:, 0].sum())

    assert force() == pytest.approx(2 * 9.81, rel=1e-6)
    click(panel, "body", box)
    typed(window, qtbot, "body_mass", "5")
    assert model.body_mass[box] == 5.0
    assert force() == pytest.approx(5 * 9.81, rel=1e-6)
    assert shown(panel, "body_subtreemass") == "5"  # what follows from it is shown too
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    obeyed(window, qtbot)
    assert shown(panel, "body_mass") == "2"
    assert [name for name, value in before.items() if not np.array_equal(value, getattr(model, name))] == []
    assert force() == pytest.approx(2 * 9.81, rel=1e-6)


def test_what_is_not_safe_or_not_valid_is_refused_and_says_why(window, qtbot):
    panel = opened(window, qtbot)
    click(panel, "geom", window.session.model.geom("box").id)
    assert edited(panel, "geom_rbound") is None
    assert "follows from the shape of the geom" in panel.problem.text()
    item, other = panel.table.item_of("geom_rbound"), panel.table.item_of("geom_friction")
    assert "Cannot be changed" in item.toolTip(VALUE)
    assert item.foreground(VALUE) != other.foreground(VALUE)
    click(panel, "body", window.session.model.body("box").id)
    assert edited(panel, "body_ipos") is None  # its block of the inertia matrix is diagonal
    assert "no room" in panel.problem.text()
    assert panel.table.item_of("xpos") is not None
    assert edited(panel, "xpos") is None
    for element, field, text, says in NOT_VALID:
        click(panel, *element)
        before = shown(panel, field)
        assert says not in panel.problem.text()
        typed(window, qtbot, field, text)
        assert panel.problem.isVisible(), says
        assert says in panel.problem.text()
        assert shown(panel, field) == before, says
        assert not window.edits.changes(), says


NOT_VALID = [
    (("geom", 1), "geom_size", "0.1 0 0.1", "more than 0"),
    (("body", 1), "body_mass", "0", "more than 0"),
    (("body", 1), "body_mass", "heavy", "“heavy” is not a number"),
    (("body", 1), "body_inertia", "1 1", "needs 3 numbers, has 2"),
    (("body", 1), "body_inertia", "1 1 3", "1 + 1 < 3"),
    (("geom", 1), "geom_friction", "-1 0 0", "slide must be 0 or more"),
    (("geom", 1), "geom_solref", "0.02 -1", "two positive numbers"),
    (("geom", 1), "geom_rgba", "2 0 0 1", "between 0 and 1"),
    (("geom", 1), "geom_matid", "3", "-1 (none) or 0 to -1"),
    (("geom", 1), "geom_group", "0.5", "whole number"),
    (("jnt", 1), "jnt_range", "1 -1", "less than the second"),
    (("jnt", 1), "jnt_axis", "0 0 0", "must not be zero"),
    (("jnt", 1), "jnt_limited", "2", "0 (no) or 1 (yes)"),
    (("jnt", 1), "dof_damping", "1e99", "between"),
    (("opt", -1), "opt.timestep", "-1", "between 1e-07 and 1"),
    (("opt", -1), "opt.o_solref", "0.02 -1", "two positive numbers"),
]


def test_qpos_typed_while_paused_moves_and_wakes_the_body(window, qtbot):
    panel = opened(window, qtbot, BOXES)
    session, model = window.session, window.session.model
    settle(window, qtbot, 400 * model.opt.timestep)
    data = simulation_of(session).data
    apart = model.body("apart").id
    tree = int(model.body_treeid[apart])
    assert data.tree_asleep[tree] >= 0
    click(panel, "jnt", int(model.body_jntadr[apart]))
    typed(window, qtbot, "qpos", "1 2 3 1 0 0 0")
    np.testing.assert_allclose(session.snapshot.xpos[apart], [1, 2, 3])
    assert data.tree_asleep[tree] < 0
    qtbot.waitUntil(lambda: shown(panel, "qpos") == "1 2 3 1 0 0 0")
    typed(window, qtbot, "qvel", "0 0 -5 0 0 0")
    z = session.snapshot.xpos[apart, 2]
    settle(window, qtbot, 10 * model.opt.timestep)
    assert session.snapshot.qpos[int(model.jnt_qposadr[model.body_jntadr[apart]]) + 2] < z - 0.04
    session.set_paused(False)
    assert edited(panel, "qpos") is None
    assert "pause first" in panel.problem.text()


def test_inspector_edits_are_saved_or_listed_as_not_in_mjcf(window, qtbot, tmp_path):
    path = tmp_path / "soft.xml"
    shutil.copy(SOFT, path)
    panel = opened(window, qtbot, path)
    model = window.session.model
    click(panel, "jnt", 1)
    typed(window, qtbot, "dof_damping", "0.25")
    typed(window, qtbot, "jnt_limited", "0")
    click(panel, "geom", model.geom("box").id)
    typed(window, qtbot, "geom_rgba", "0.1 0.2 0.3 1")
    scene = window.viewport._renderer.scene  # the colour is seen at once
    qtbot.waitUntil(lambda: scene._geoms.instances["rgba"][model.geom("box").id, 2] == pytest.approx(0.3))
    assert shown(panel, "geom_rgba") == "0.1 0.2 0.3 1"
    assert not panel.remark.isVisible()
    click(panel, "body", 1)
    typed(window, qtbot, "body_inertia", "1 1 1")
    click(panel, "stat", -1)
    typed(window, qtbot, "stat.extent", "3")
    assert "stat.extent" in panel.remark.text()
    patch = make(path, model, window.edits.changes())
    lines = [line for file in patch.files for line in file.diff(0) if line[0] in "+-" and line[1] not in "+-"]
    assert any('damping="0.25"' in line and 'limited="false"' in line for line in lines)
    assert any('rgba="0.1 0.2 0.3 1"' in line for line in lines)
    assert len([line for line in lines if line[0] == "+"]) == 2
    assert any("no <inertial> here" in line for line in patch.left)
    assert any("stat.extent" in line for line in patch.left)
    patch.save()
    fresh = physics.MjModel.from_xml_path(str(path))
    assert fresh.dof_damping[6] == 0.25
    assert not fresh.jnt_limited[1]


def test_a_smaller_model_follows_a_larger_one(window, qtbot):
    panel = opened(window, qtbot, BOXES)
    click(panel, "geom", window.session.model.ngeom - 1)
    assert window.session.selection > 0
    panel.dock.hide()
    open_and_wait(qtbot, window.session, SOFT)
    assert panel.view.nodes.model is not window.session.model  # the tree is made when it is looked at
    panel.dock.bring()
    qtbot.waitUntil(lambda: panel.view.nodes.model is window.session.model)
    assert not panel.inspector.entries
    window.session.select(1)
    assert panel.view.current is panel.view.nodes.find("body", 1)
    assert shown(panel, "body_mass") == "2"


def test_values_are_copied_plotted_normalized_and_typing_stays(window, qtbot):
    panel = opened(window, qtbot)
    click(panel, "jnt", 1)
    typed(window, qtbot, "jnt_axis", "0 3 4")
    np.testing.assert_allclose(window.session.model.jnt_axis[1], [0, 0.6, 0.8], atol=1e-15)
    click(panel, "jnt", 0)
    typed(window, qtbot, "qpos", "0 0 1; 2 0 0 0")
    np.testing.assert_array_equal(window.session.snapshot.qpos[:7], [0, 0, 1, 1, 0, 0, 0])
    changes = window.edits.changes()
    click(panel, "jnt", 1)
    line = edited(panel, "dof_damping")
    QTest.keyClicks(line, "0.7")
    window.session.set_paused(False)
    let_pass(window.session, qtbot, 0.3)
    assert line.text() == "0.7"
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert window.edits.changes() == changes
    window.session.set_paused(True)
    click(panel, "jnt", 1)
    typed(window, qtbot, "dof_damping", "0.125")

    def choose(field, *path):
        entry = next(e for e in panel.inspector.entries if e.info.name == field)
        menu = panel.menu(entry)
        for text in path:
            action = next(a for a in menu.actions() if a.text().startswith(text))
            assert action.isEnabled(), text
            menu = action.menu() or menu
        action.trigger()

    clipboard = QGuiApplication.clipboard()
    choose("dof_damping", "Copy damping")
    assert clipboard.text() == 'damping="0.125"'
    choose("dof_damping", "Copy value")
    assert clipboard.text() == "0.125"
    choose("dof_damping", "Revert to the file")
    obeyed(window, qtbot)
    assert window.session.model.dof_damping[6] == 0
    choose("qpos", "Plot", "qpos[elbow]")
    assert window.panels.signals.dock.isVisible()
    assert [s.name for s in window.panels.signals.panes[0].signals] == ["qpos[elbow]"]
    choose("qvel", "Stop", "qvel[elbow]")
    assert window.panels.breakpoints.text.text().startswith("qvel[elbow] > ")


@pytest.mark.slow
def test_forty_figures_are_listed_at_once(window, qtbot, tmp_path):
    panel = opened(window, qtbot, written(tmp_path / "crowd.xml", figures(40)))
    model = window.session.model
    start = thread_time()
    panel.view.set_model(model)
    panel.view.search.setText("torso37")
    panel.view._choose_first()
    assert thread_time() - start < 0.4
    assert len(panel.view.nodes.nodes) > model.nbody + model.njnt + model.ngeom
    node = panel.view.current
    assert node.name == "torso37"
    assert window.session.selection == node.index


def test_every_element_of_a_model_has_fields_that_read_back(window, qtbot):
    opened(window, qtbot, Path("resources/models/figure.xml").absolute())
    model = window.session.model
    catalogue = Catalogue(model)
    for node in ModelTree(model).nodes:
        if not node.is_element or node.index > 1:
            continue
        rows = entries(catalogue, node.kind, node.index)
        assert rows, node.kind.title
        for entry in rows:
            if entry.own or not entry.numbers:
                continue
            assert len(entry.numbers) == entry.count
            read = [float(signal.read(model, None)) for signal in entry.numbers]
            places = [EditPlace(dotted(entry.name))] if entry.rows is None else [EditPlace(entry.name, row) for row in entry.rows]
            assert [v for place in places for v in window.edits.value(place)] == read
    assert exact("geom_rgba", (np.float32(0.9).item(),)) == (0.9,)
    assert set(KINDS) >= {"body", "jnt", "geom", "opt", "vis_map"}


def test_words_are_looked_for_in_kind_number_name_and_shape():
    tree = ModelTree(physics.MjModel.from_xml_path(str(SOFT)))
    names = [node.name for node in tree.roots]

    def found(text):
        return [node.name for node in tree.filter(text)]

    assert found("joint hinge") == ["elbow"]
    assert found("geom 1") == ["box"]
    assert found("BOX geom") == ["box"]
    assert found("no such thing") == []
    assert tree.roots == []
    assert found("") == []
    assert [node.name for node in tree.roots] == names
    assert names[0] == "world"
    body = """<mujoco><extension><plugin plugin="mujoco.sdf.nut"><instance name="i"/></plugin></extension><asset><mesh name="m">
<plugin instance="i"/></mesh><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><geom type="sdf" mesh="m"
contype="0" conaffinity="0"/><geom type="sdf" mesh="t"/><geom type="mesh" mesh="t"/></worldbody></mujoco>"""
    model = physics.MjModel.from_xml_string(body)
    details = [detail(model, TreeNode(KINDS["geom"], i, "", None)) for i in range(3)]
    assert details == ["sdf mujoco.sdf.nut", "sdf of a mesh", "mesh"]


LATE = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator><motor joint="j"/></actuator>
<sensor><jointpos joint="j" nsample="4" delay=".004"/></sensor></mujoco>"""


def test_delays_are_typed_where_there_is_a_history_to_read_from(window, qtbot, tmp_path):
    path = written(tmp_path / "late.xml", LATE)
    panel = opened(window, qtbot, path)
    click(panel, "actuator", 0)
    typed(window, qtbot, "actuator_delay", "0.1")
    assert "nsample" in panel.problem.text()
    click(panel, "sensor", 0)
    typed(window, qtbot, "sensor_delay", "0.002")
    assert window.session.model.sensor_delay[0] == 0.002
    place = EditPlace("sensor_delay", 0)
    patch = make(path, window.session.model, {place: ((0.004,), (0.002,))})
    assert b'delay="0.002"' in patch.files[0].after

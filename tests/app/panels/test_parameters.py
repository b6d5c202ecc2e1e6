"""The parameters dock on the real window: numbers are typed, and the physics follows."""

import shutil

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest

from tests.app.conftest import MODELS, open_and_wait, open_panel
from tests.app.mouse import spot_of
from tests.app.pump import let_pass
from tumble import physics
from tumble.app.editing.edits import EditPlace
from tumble.app.editing.impedance import with_digits
from tumble.app.editing.parameters import KINDS, kind_named, kinds_of, parse, shown

pytestmark = pytest.mark.pumped
SOFT, BALL = MODELS / "soft.xml", MODELS / "ball.xml"


def _opened(window, qtbot, path):
    """The dock in front of the others, showing the first geom of a model that runs."""
    return open_panel(qtbot, window, "parameters", path)


def _box(window, qtbot, path):
    """The dock of a box that has come to rest, and stands still."""
    panel = _opened(window, qtbot, path)
    window.session.select(1)
    assert panel.choice.element.currentText() == "box"
    _settle(window, qtbot, 0.5)
    return panel


def _settle(window, qtbot, seconds):
    """Simulated time passes; then the model stands."""
    session = window.session
    session.set_paused(False)
    let_pass(session, qtbot, seconds)
    session.set_paused(True)
    qtbot.waitUntil(lambda: session.is_obeyed and session.snapshot.paused)


def _type(field, text, key=Qt.Key.Key_Return):
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, key)


def _obeyed(window, qtbot):
    """All that was asked for is carried out, and shown."""
    session = window.session
    qtbot.waitUntil(lambda: session.snapshot.obeyed >= session._sent)


def _depth(window):
    snapshot = window.session.snapshot
    return float(-snapshot.contact("dist").min())


def _geom(window, name):
    return int(window.session.model.geom(name).id)


def test_boxes_sink_by_what_solref_and_stiffness_predict(window, qtbot):
    panel = _box(window, qtbot, SOFT)
    stiff = _depth(window)
    assert panel._reading.rest == pytest.approx(stiff, rel=0.05)
    _type(panel.rows["solref"].fields[0], "0.2")
    _obeyed(window, qtbot)
    predicted = panel._reading.rest  # before a step is taken under the new numbers
    shown_text = panel.lab.facts["rest"].text()
    assert shown_text.endswith("mm")
    assert float(shown_text.split()[0]) == pytest.approx(1000 * predicted, rel=1e-3)
    assert predicted > 3 * stiff
    _settle(window, qtbot, 1.5)
    assert _depth(window) == pytest.approx(predicted, rel=0.05)
    panel.area.ensureWidgetVisible(panel.lab)
    _type(panel.lab.stiffness, "2500")
    _obeyed(window, qtbot)
    panel.lab.direct.setChecked(True)
    _type(panel.lab.stiffness, "4000")
    _obeyed(window, qtbot)
    assert window.session.model.geom_solref[_geom(window, "box"), 0] < 0
    _settle(window, qtbot, 1.5)
    assert _depth(window) == pytest.approx(2 * 9.81 / 4 / 4000, rel=0.02)  # four corners carry it


def test_undo_brings_bits_back_and_fast_springs_are_warned_of(window, qtbot):
    panel = _box(window, qtbot, SOFT)
    model, box = window.session.model, _geom(window, "box")
    before = {name: np.array(getattr(model, name)).tobytes() for name in ("geom_solref", "geom_solimp", "geom_friction")}
    state = window.session.snapshot.qpos.tobytes()

    def now():
        _obeyed(window, qtbot)
        return {name: np.array(getattr(model, name)).tobytes() for name in before}

    row = panel.rows["solref"]
    _type(row.fields[0], "0.1234567890123456")
    _type(panel.rows["friction"].fields[1], "0.1")
    changed = now()
    assert model.geom_solref[box, 0] == 0.1234567890123456
    assert row.fields[0].property("changed")
    assert row.back.isVisible()
    assert panel.bar.count.text() == "2 changed"
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert now() == before
    assert not row.back.isVisible()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    for _ in range(2):
        QTest.keyClick(window, Qt.Key.Key_Z, both)
    assert now() == changed
    QTest.mouseClick(row.back, Qt.MouseButton.LeftButton)
    assert now()["geom_solref"] == before["geom_solref"]
    QTest.mouseClick(panel.bar.back, Qt.MouseButton.LeftButton)
    assert now() == before
    assert window.session.snapshot.qpos.tobytes() == state  # edits keep the state
    assert not panel.lab.warning.isVisible()
    _type(panel.rows["priority"].fields[0], "1")
    _type(panel.rows["solref"].fields[0], "0.003")
    assert "refsafe raises it to 0.004 s" in panel.lab.warning.text()
    _type(panel.rows["solref"].fields[0], "-4e6")
    assert "times the stable limit" in panel.lab.warning.text()


NOT_VALID = [
    ("friction", 0, "-1", "slide must be 0 or more"),
    ("friction", 0, "soft", "not a number"),
    ("solimp", 1, "1.5", "between 0 and 1"),
    ("solref", 1, "-3", "two positive numbers"),
    ("priority", 0, "1.5", "whole number"),
    ("margin", 0, "nan", "not a number"),
]


def test_elements_are_searched_for_and_what_is_not_valid_refused(window, qtbot):
    panel = _opened(window, qtbot, SOFT)
    for attribute, at, text, says in NOT_VALID:
        row = panel.rows[attribute]
        before = row.fields[at].text()
        assert says not in row.problem.text()
        _type(row.fields[at], text)
        assert says in row.problem.text()
        assert row.problem.isVisible(), says
        assert row.fields[at].text() == before, says
        assert not window.edits.changes(), says
    choice = panel.choice
    assert [choice.kind.itemText(i) for i in range(choice.kind.count())] == ["Geom", "Joint limit", "Joint friction"]
    edit = choice.element.lineEdit()
    QTest.mouseClick(edit, Qt.MouseButton.LeftButton)
    edit.selectAll()
    QTest.keyClicks(edit, "bo")
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    edit.selectAll()
    QTest.keyClicks(edit, "Box")
    QTest.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel._index == _geom(window, "box"))
    choice.kind.setFocus()
    QTest.keyClick(choice.kind, Qt.Key.Key_End)
    assert list(panel.rows) == ["frictionloss", "solreffriction", "solimpfriction"]
    window.session.select(2)
    assert choice.element.currentText() == "elbow"
    assert not panel.lab.stiffness.isVisible()
    let_pass(window.session, qtbot, 0.1)
    qtbot.waitUntil(lambda: panel.lab.facts["rest"].text().endswith("rad/s"))


def test_the_patch_changes_the_intended_attribute_only(window, qtbot, tmp_path):
    path = tmp_path / "soft.xml"
    shutil.copy(SOFT, path)
    panel = _box(window, qtbot, path)
    _type(panel.rows["solref"].fields[0], "0.07")
    QTest.mouseClick(panel.bar.write, Qt.MouseButton.LeftButton)
    view = panel.bar.view
    qtbot.waitUntil(view.isVisible)
    lines = view.text.toPlainText().splitlines()
    assert [line[0] for line in lines if line[0] in "+-" and line[1] not in "+-"] == ["-", "+"]
    assert path.read_bytes() == SOFT.read_bytes()  # shown before it is saved
    QTest.mouseClick(view.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not view.isVisible())
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    old, new = b'mass="2" rgba="0.9 0.3 0.2 1"/>', b'mass="2" rgba="0.9 0.3 0.2 1" solref="0.07 1"/>'
    assert path.read_bytes() == SOFT.read_bytes().replace(old, new)
    assert panel.bar.count.text() == "as in the file"
    QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert panel.bar.count.text() == "1 changed"  # undo goes on, and the file is now the other
    open_and_wait(qtbot, window.session, path)
    assert tuple(window.session.model.geom_solref[_geom(window, "box")]) == (0.07, 1.0)


def test_the_other_geom_may_win_and_the_override_wins_over_all(window, qtbot):
    panel = _box(window, qtbot, SOFT)
    assert "50 % box, 50 % floor" in panel.mixture.text()
    numbers, whose = panel.lab.facts["effective"].text().split("\n")
    assert numbers == " ".join(f"{value:.4g}" for value in panel._reading.solref)
    assert whose == "50 % floor, 50 % box"
    _type(panel.rows["priority"].fields[0], "-1")
    _obeyed(window, qtbot)
    assert "floor decides everything: its priority 0 is above -1" in panel.mixture.text()
    panel.area.ensureWidgetVisible(panel.lab)
    _type(panel.lab.stiffness, "100")
    assert "by its priority" in panel.lab.problem.text()
    panel.area.ensureWidgetVisible(panel.override)
    QTest.mouseClick(panel.override.switch, Qt.MouseButton.LeftButton, pos=QPoint(20, panel.override.switch.height() // 2))
    _obeyed(window, qtbot)
    assert "global override decides" in panel.mixture.text()
    row = panel.override.rows["o_solref"]
    panel.area.ensureWidgetVisible(row)
    _type(row.fields[0], "0.3")
    _obeyed(window, qtbot)
    before = _depth(window)
    predicted = panel._reading.rest if panel._reading else 0.0
    _settle(window, qtbot, 2.0)
    assert _depth(window) == pytest.approx(predicted, rel=0.05)
    assert _depth(window) > 3 * before


def test_other_models_and_resets_while_it_is_open(window, qtbot):
    panel = window.panels.parameters
    panel.dock.raise_()
    assert panel.empty.isVisible()
    assert not panel.bar.write.isEnabled()
    panel = _opened(window, qtbot, SOFT)
    _type(panel.rows["margin"].fields[0], "0.01")
    _opened(window, qtbot, BALL)  # which has no contacts
    assert panel.mixture.text() == "It touches nothing now."
    assert panel.lab.facts["load"].text() == "none now"
    assert not window.edits.changes()
    window.session.reset()
    panel.rows["condim"].choice.activated.emit(0)
    _obeyed(window, qtbot)
    assert window.session.model.geom_condim[0] == 1


def test_numbers_are_shown_so_that_they_read_back_exactly():
    rng = np.random.default_rng(0)
    for value in [*rng.standard_normal(50) * 10.0 ** rng.integers(-12, 20, 50), 0.0, -0.0, 1e22, 5.0]:
        assert np.float64(parse(shown(value))).tobytes() == np.float64(value).tobytes()
    assert parse("1,5") == 1.5
    assert parse("") is parse("inf") is None


def test_every_parameter_is_in_the_model_and_valid_as_it_comes():
    model = physics.MjModel.from_xml_path(str(SOFT))
    assert kinds_of(model) == [kind_named(name) for name in ("geom", "joint limit", "joint friction")]
    for kind in KINDS:
        for parameter in kind.parameters:
            assert np.asarray(getattr(model, parameter.field)).reshape(-1, len(parameter.parts)).shape[1] == len(parameter.parts)


def test_typed_depth_keeps_critical_damping_or_is_refused(window, qtbot):
    panel = _box(window, qtbot, SOFT)
    lab, box = panel.lab, _geom(window, "box")
    _in_lab(panel, lab.sink, "0.05")
    _obeyed(window, qtbot)
    assert panel._reading.rest == pytest.approx(0.05e-3, rel=1e-3)
    assert panel._reading.spring.damping_ratio == pytest.approx(1.0, rel=1e-3)
    # Rounded to what matters: a depth that is off by 0.1 % needs four digits at most.
    assert all(value == with_digits(value, 4) for value in window.session.model.geom_solref[box])
    _in_lab(panel, lab.sink, "0.001")
    assert "refsafe raises to two time steps, 4 ms" in lab.problem.text()
    least = float(lab.problem.text().partition(": ")[2].partition(": ")[2].split()[0])  # [µm]
    _in_lab(panel, lab.sink, shown(1e-3 * least * 1.01))
    assert "out of reach when mixed" in lab.problem.text()
    panel.area.ensureWidgetVisible(lab.raise_priority)
    QTest.mouseClick(lab.raise_priority, Qt.MouseButton.LeftButton)
    assert panel._reading.rest == pytest.approx(1.01e-6 * least, rel=2e-3)
    lab.direct.setChecked(True)
    _in_lab(panel, lab.sink, "0.0001")
    assert "it would be unstable" in lab.problem.text()
    before = panel._reading.now.damping
    lab.keep_ratio.setChecked(False)
    _in_lab(panel, lab.stiffness, "4000")
    assert panel._reading.now.damping == pytest.approx(before, rel=2e-3)
    assert panel._reading.spring.damping_ratio > 2


def test_click_raises_priority_of_an_overruled_geom(window, qtbot):
    panel = _box(window, qtbot, SOFT)
    floor, box = _geom(window, "floor"), _geom(window, "box")
    window.edits.set(EditPlace("geom_priority", floor), (3.0,), "test")
    _obeyed(window, qtbot)
    (button,) = panel.mixture.buttons
    assert button.text() == "floor wins by its priority 3: raise priority"
    _in_lab(panel, panel.lab.sink, "0.05")
    assert "by its priority" in panel.lab.problem.text()
    undone = window.edits.stack.count()
    panel.area.ensureWidgetVisible(panel.lab.raise_priority)
    QTest.mouseClick(panel.lab.raise_priority, Qt.MouseButton.LeftButton)
    _obeyed(window, qtbot)
    assert window.session.model.geom_priority[box] == 4
    assert panel._reading.rest == pytest.approx(0.05e-3, rel=1e-3)
    assert not panel.lab.problem.isVisible()
    assert window.edits.stack.count() == undone + 1
    window.edits.stack.undo()
    _obeyed(window, qtbot)
    panel.area.ensureWidgetVisible(panel.mixture.buttons[0])
    QTest.mouseClick(panel.mixture.buttons[0], Qt.MouseButton.LeftButton)
    _obeyed(window, qtbot)
    assert window.session.model.geom_priority[box] == 4
    assert panel.mixture.buttons == []


def test_several_geoms_are_edited_as_one_undo_step(window, qtbot):
    panel = _opened(window, qtbot, SOFT)
    window.session.set_paused(True)
    floor, box = _geom(window, "floor"), _geom(window, "box")
    _type(panel.rows["friction"].fields[1], "0.02")  # of the floor
    view = window.viewport
    qtbot.waitUntil(lambda: view.is_drawn)
    window.session.select(1)
    panel.edit_together((box,))
    at = spot_of(view, geom=floor)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, at)
    assert panel.several.geoms == (box, floor)
    row = panel.rows["friction"]
    assert [field.placeholderText() for field in row.fields] == ["", "mixed", ""]
    assert row.fields[1].text() == ""
    _type(row.fields[0], "0.3")
    _obeyed(window, qtbot)
    friction = window.session.model.geom_friction
    assert friction[floor].tolist() == pytest.approx([0.3, 0.02, 0.0001])
    assert friction[box].tolist() == pytest.approx([0.3, 0.005, 0.0001])
    window.edits.stack.undo()
    _obeyed(window, qtbot)
    assert friction[floor, 0] == friction[box, 0] == 1.0
    panel.several._fill()
    qtbot.waitUntil(lambda: panel.several._classes is not None)
    panel.several._fill()
    assert [a.text() for a in panel.several.menu.actions()][-1] == "All 3 geoms of class “main”"
    panel.several.menu.actions()[-1].trigger()
    assert len(panel.several.geoms) == 3


def test_typed_text_is_not_given_to_the_element_that_comes_next(window, qtbot):
    panel = _opened(window, qtbot, SOFT)
    panel.look_at(kind_named("geom"), _geom(window, "floor"))
    field = panel.rows["friction"].fields[1]
    QTest.mouseClick(field, Qt.MouseButton.LeftButton)
    field.selectAll()
    QTest.keyClicks(field, "0.02")
    panel.look_at(kind_named("geom"), _geom(window, "box"))
    _obeyed(window, qtbot)
    assert window.edits.count == 0
    assert panel.rows["friction"].fields[1].text() == "0.005"


def _in_lab(panel, field, text):
    panel.area.ensureWidgetVisible(field)
    _type(field, text)


def test_parameters_show_a_body_selected_before_opening(window, qtbot):
    window.actions_by_name["layout_film"].trigger()
    open_and_wait(qtbot, window.session, SOFT)
    window.session.select(1)
    window.panels.dock("parameters").bring()
    assert window.panels.parameters.choice.element.currentText() == "box"

"""Sliders of one line: 29 joints of a humanoid at once, told apart by their names, and filtered by them."""

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QLabel

from tests.app.conftest import open_and_wait
from tumble.app.describe.names import without_common_words
from tumble.app.panels.control.panel import ControlPanel
from tumble.app.panels.joints.panel import JointsPanel
from tumble.app.widgets.slider_row import SLIDER

pytestmark = pytest.mark.pumped

LEG = ("hip_pitch", "hip_roll", "hip_yaw", "knee", "ankle_pitch", "ankle_roll")
ARM = ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow", "wrist_roll", "wrist_pitch", "wrist_yaw")
JOINTS = [
    *(f"{side}_{part}_joint" for side in ("left", "right") for part in (*LEG, *ARM)),
    *(f"waist_{way}_joint" for way in ("yaw", "roll", "pitch")),
]
BODY = '<body><joint name="{0}" axis="0 1 0" range="-2 2"/><geom size=".1" contype="0" conaffinity="0"/></body>'
MODEL = f"""<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>{"".join(map(BODY.format, JOINTS))}</worldbody>
<actuator>{"".join(f'<position name="{name}" joint="{name}" inheritrange="1"/>' for name in JOINTS)}</actuator></mujoco>"""


@pytest.fixture
def window_size():
    return (1280, 1000)


@pytest.fixture
def humanoid(window, qtbot, tmp_path):
    path = tmp_path / "humanoid.xml"
    path.write_text(MODEL)
    open_and_wait(qtbot, window.session, path)
    return window


def joints_of(window):
    panel = window.panels.joints
    assert isinstance(panel, JointsPanel)
    return panel


def control_of(window):
    panel = window.panels.control
    assert isinstance(panel, ControlPanel)
    return panel


def test_29_joints_and_29_actuators_are_seen_without_scrolling(humanoid, qtbot):
    for panel in (joints_of(humanoid), control_of(humanoid)):
        panel.dock.raise_()
        qtbot.waitUntil(lambda: not panel.rows[-1].visibleRegion().isEmpty())  # noqa: B023  at once
        assert len(panel.rows) == 29
        assert {row.height() for row in panel.rows} == {24}
        assert panel.rows[-1].visibleRegion().boundingRect().height() == 24
        assert len({row.slider.x() for row in panel.rows}) == 1  # below each other
        seen = [QLabel.text(row.label) for row in panel.rows]
        assert len(set(seen)) == 29
        assert [row.label.toolTip() for row in panel.rows] == JOINTS
    humanoid.resize(2000, 1000)
    humanoid.resizeDocks([joints_of(humanoid).dock], [420], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: [QLabel.text(row.label) for row in joints_of(humanoid).rows] == JOINTS)  # whole where there is room


def test_names_are_whole_where_sliders_leave_them_room(window, qtbot, tmp_path):
    names = [f"bob{k}" for k in range(1, 13)]
    path = tmp_path / "pendulums.xml"
    bodies = "".join(map(BODY.replace(' range="-2 2"', "").format, names))
    path.write_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    open_and_wait(qtbot, window.session, path)
    rows = joints_of(window).rows
    qtbot.waitUntil(lambda: rows[0].slider.width() > 2 * SLIDER)
    assert [QLabel.text(row.label) for row in rows] == names


def test_the_filter_shows_what_has_its_words_and_says_how_many_it_hides(humanoid, qtbot):
    panel = joints_of(humanoid)
    assert not panel.filter.hidden.isVisible()
    qtbot.keyClicks(panel.filter, "LEFT hip")
    assert [row.name for row in panel.rows if row.isVisible()] == [f"left_{part}_joint" for part in LEG[:3]]
    assert panel.filter.hidden.isVisible()
    assert panel.filter.hidden.text() == "The filter hides 26: clear"
    qtbot.mouseClick(panel.filter.hidden, Qt.MouseButton.LeftButton)
    assert panel.filter.text() == ""
    assert all(row.isVisible() for row in panel.rows)
    assert not panel.filter.hidden.isVisible()


def test_names_stand_above_the_sliders_where_large_text_leaves_no_room(humanoid, qtbot):
    row = joints_of(humanoid).rows[0]
    assert row.label.y() + row.label.height() > row.slider.y()
    humanoid.looks.set_scale(1.5)
    qtbot.waitUntil(lambda: row.label.y() + row.label.height() <= row.slider.y() + 1 and row.height() > 40)
    assert QLabel.text(row.label) == "left_hip_pitch_joint"
    line = row.field.lineEdit()
    assert line.font().pointSizeF() == pytest.approx(1.5 * 9)
    assert line.fontMetrics().horizontalAdvance("-2.000") < row.field.width() - 8
    assert row.back.geometry().right() < row.width()
    humanoid.looks.set_scale(1.0)
    qtbot.waitUntil(lambda: row.height() == 24)


def test_words_that_all_names_share_are_left_out_and_something_is_left_of_each():
    assert without_common_words(["left_hip_joint", "left_knee_joint"]) == ["hip", "knee"]
    assert without_common_words(["panda_joint1", "panda_joint2"]) == ["joint1", "joint2"]
    assert without_common_words(["a_b", "b"]) == ["a_b", "b"]
    assert without_common_words(["x_y", "x_y"]) == ["x", "x"]
    assert without_common_words(["elbow_joint"]) == ["elbow_joint"]
    assert without_common_words([]) == []

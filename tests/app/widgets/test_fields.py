"""Sliders of one line told apart by their names, filters that say what they hide, and views of time."""

import pytest
from PyQt6.QtCore import QEvent, QPointF, Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QApplication, QLabel, QWidget

from tests.app.conftest import MODELS, open_and_wait, written
from tests.app.mouse import wheel
from tumble.app.describe.names import without_common_words
from tumble.app.panels.parameters.several import SeveralDialog
from tumble.app.widgets.live_field import OwnKeys
from tumble.app.widgets.slider_row import SLIDER
from tumble.app.widgets.time_view import TimeView, TimeWindow

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
    open_and_wait(qtbot, window.session, written(tmp_path / "humanoid.xml", MODEL))
    return window


def test_29_joints_and_29_actuators_are_seen_without_scrolling(humanoid, qtbot):
    for panel in (humanoid.panels.joints, humanoid.panels.control):
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
    humanoid.resizeDocks([humanoid.panels.joints.dock], [420], Qt.Orientation.Horizontal)
    qtbot.waitUntil(
        lambda: [QLabel.text(row.label) for row in humanoid.panels.joints.rows] == JOINTS
    )  # whole where there is room


def test_names_are_whole_where_sliders_leave_them_room(window, qtbot, tmp_path):
    names = [f"bob{k}" for k in range(1, 13)]
    path = tmp_path / "pendulums.xml"
    bodies = "".join(map(BODY.replace(' range="-2 2"', "").format, names))
    path.write_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    open_and_wait(qtbot, window.session, path)
    rows = window.panels.joints.rows
    qtbot.waitUntil(lambda: rows[0].slider.width() > 2 * SLIDER)
    assert [QLabel.text(row.label) for row in rows] == names


def test_the_filter_hides_rows_and_large_text_puts_names_above(humanoid, qtbot):
    panel = humanoid.panels.joints
    assert not panel.filter.hidden.isVisible()
    qtbot.keyClicks(panel.filter, "LEFT hip")
    assert [row.name for row in panel.rows if row.isVisible()] == [f"left_{part}_joint" for part in LEG[:3]]
    assert panel.filter.hidden.isVisible()
    assert panel.filter.hidden.text() == "The filter hides 26: clear"
    qtbot.mouseClick(panel.filter.hidden, Qt.MouseButton.LeftButton)
    assert panel.filter.text() == ""
    assert all(row.isVisible() for row in panel.rows)
    assert not panel.filter.hidden.isVisible()
    row = humanoid.panels.joints.rows[0]
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


def test_common_words_are_stripped_from_names_never_all():
    assert without_common_words(["left_hip_joint", "left_knee_joint"]) == ["hip", "knee"]
    assert without_common_words(["panda_joint1", "panda_joint2"]) == ["joint1", "joint2"]
    assert without_common_words(["a_b", "b"]) == ["a_b", "b"]
    assert without_common_words(["x_y", "x_y"]) == ["x", "x"]
    assert without_common_words(["elbow_joint"]) == ["elbow_joint"]
    assert without_common_words([]) == []


def said(field):
    """How many rows a filter says it hides."""
    text = field.hidden.text()
    assert text == "" or text.endswith(": clear")
    return int(text.split()[3].rstrip(":")) if text else 0


def test_the_tree_and_the_geoms_say_how_many_words_hide(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "boxes.xml")
    panel = window.panels.inspector
    panel.dock.bring()
    view = panel.view
    elements = [node for node in view.nodes.nodes if node.is_element]
    assert said(view.search) == 0
    view.search.setText("geom 1")
    qtbot.waitUntil(lambda: said(view.search) > 0)

    def shown(nodes):
        for node in nodes:
            yield node
            yield from shown(node.shown)

    seen = [node for node in shown(list(view.nodes.roots)) if node.is_element]
    assert said(view.search) == len(elements) - len(seen)
    view.search.hidden.click()
    qtbot.waitUntil(lambda: said(view.search) == 0)
    assert view.search.text() == ""
    model = window.session.loaded_model
    dialog = SeveralDialog(model, (0,), window)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.search.setText("WORLD floor")
    hidden = [k for k in range(model.ngeom) if dialog.list.item(k).isHidden()]
    assert 0 < len(hidden) < model.ngeom
    assert said(dialog.search) == len(hidden)
    dialog.search.hidden.click()
    assert not any(dialog.list.item(k).isHidden() for k in range(model.ngeom))


def test_preferences_search_counts_hidden_settings_and_keys(window, qtbot):
    window.actions_by_name["preferences"].trigger()
    dialog = window.preferences.dialog
    dialog.search.setText("pause")
    titles = [dialog.tabs.tabText(k) for k in range(2)]
    left = sum(int(title.rpartition("(")[2].rstrip(")")) for title in titles)
    assert said(dialog.search) == dialog.settings.total + dialog.keys.total - left > 0
    qtbot.mouseClick(dialog.search.hidden, Qt.MouseButton.LeftButton)
    assert dialog.search.text() == ""
    assert not dialog.search.hidden.isVisible()
    dialog.close()


CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def view(qtbot):
    view = TimeView(TimeWindow(5.0), axis_height=20, least_above=40, margin=10)
    qtbot.addWidget(view)
    view.resize(420, 100)
    view.show()
    return view


def test_moments_go_from_margin_to_margin(view):
    assert (view.x_of(0.0), view.x_of(5.0)) == (10.0, 410.0)
    for time in (0.0, 1.7, 5.0):
        assert view.time_at(view.x_of(time)) == pytest.approx(time)


def test_the_wheel_keeps_the_moment_under_the_mouse(view):
    view.times.move(3.0)
    at = QPointF(110.0, 30.0)
    moment = view.time_at(at.x())
    wheel(view.canvas, at.toPoint(), 1)
    assert view.span == pytest.approx(5.0 / 1.25)
    assert view.time_at(at.x()) == pytest.approx(moment)


@pytest.mark.parametrize(("key", "modifiers", "claimed"), [
    (Qt.Key.Key_Home, NONE, True), (Qt.Key.Key_Home, CTRL, False), (Qt.Key.Key_F5, NONE, False),
])  # fmt: skip
def test_own_keys_are_claimed_before_shortcuts(qtbot, key, modifiers, claimed):
    widget, acts = QWidget(), []
    qtbot.addWidget(widget)
    OwnKeys(widget, {Qt.Key.Key_Home: lambda: acts.append("home")}, plain=True)
    override = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    override.ignore()
    QApplication.sendEvent(widget, override)
    assert override.isAccepted() == claimed
    assert not acts
    QApplication.sendEvent(widget, QKeyEvent(QEvent.Type.KeyPress, key, modifiers))
    assert acts == ["home"] * claimed

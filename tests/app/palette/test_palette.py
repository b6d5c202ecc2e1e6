"""The command palette: it finds everything, and choosing does it."""

from time import thread_time

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QTabBar

from tests.app.conftest import MODELS, open_and_wait, written
from tumble.app.look.actions import plain
from tumble.app.palette.entries import EntryKind, score, words_of
from tumble.app.palette.finder import index_of
from tumble.physics import MjModel

pytestmark = pytest.mark.pumped

RICH = """<mujoco><asset><material name="steel"/><mesh name="wedge" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>
<light name="lamp" pos="0 0 3"/><camera name="side" pos="0 -3 1"/><body name="torso"><freejoint name="root"/>
<geom name="chest" size=".1" material="steel"/><site name="imu"/><body name="arm" pos="0 0 .3"><joint name="elbow"/>
<geom name="wrist" type="mesh" mesh="wedge"/></body></body></worldbody>
<tendon><fixed name="cord"><joint joint="elbow" coef="1"/></fixed></tendon>
<actuator><motor name="biceps" joint="elbow"/></actuator><sensor><gyro name="spin" site="imu"/></sensor>
<equality><joint name="lock" joint1="elbow" active="false"/></equality>
<keyframe><key name="bow" qpos="0 0 1 1 0 0 0 .5"/></keyframe>
</mujoco>"""


def opened(window, qtbot):
    qtbot.keyClick(window.viewport, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.finder.popup.isVisible()


def read(window, qtbot, path):
    open_and_wait(qtbot, window.session, path)
    opened(window, qtbot)
    qtbot.waitUntil(lambda: window.finder.is_read)


def leaves(menu):
    for action in menu.actions():
        if action.menu() is not None:
            yield from leaves(action.menu())
        elif not action.isSeparator():
            yield plain(action.text())


def test_every_action_panel_and_layout_is_found_and_done(window, qtbot):
    opened(window, qtbot)
    texts = [text for top in window.menuBar().actions() for text in leaves(top.menu())]
    assert len(texts) > 90
    missing = [text for text in texts if text not in {entry.title for entry in window.finder.find(text)[:12]}]
    assert not missing
    assert {plain(action.text()) for action in window.actions_by_name.values()} <= {e.title for e in window.finder.find("")}
    first, second = window.finder.find("contacts")[:2]
    assert [first.title, second.title] == ["Contacts", "Contacts"]
    assert [first.kind, second.kind] == [EntryKind.PANEL, EntryKind.ACTION]
    popup = window.finder.popup
    qtbot.keyClicks(popup.field, "undo")
    assert popup.current.title == "Undo"
    assert popup.current.why == "nothing to undo"
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)
    assert popup.isVisible()
    assert "nothing to undo" in popup.remark.text()
    qtbot.keyClick(popup.field, Qt.Key.Key_Escape)
    assert not popup.isVisible()
    assert window.viewport.hasFocus()
    window.panels.dock("log").hide()
    window.layouts.save("R & D")
    window.panels.dock("log").show()
    opened(window, qtbot)
    qtbot.keyClicks(window.finder.popup.field, "r & d")
    assert [entry.title for entry in window.finder.find("r & d")][:1] == ["R & D"]
    qtbot.keyClick(window.finder.popup.field, Qt.Key.Key_Return)
    assert not window.panels.dock("log").isVisible()
    opened(window, qtbot)
    window.layouts.dialog.show()
    window.layouts.dialog.activateWindow()
    qtbot.waitUntil(lambda: not window.finder.popup.isVisible())
    assert window.layouts.dialog.isVisible()
    window.layouts.dialog.close()


def test_it_finds_elements_of_every_kind_or_says_nothing_fits(window, qtbot, tmp_path):
    read(window, qtbot, written(tmp_path / "rich.xml", RICH))
    names = "steel wedge lamp side torso root chest imu arm elbow wrist cord biceps spin lock bow".split()
    for name in names:
        assert (name, EntryKind.ELEMENT) in [(e.title, e.kind) for e in window.finder.find(name)[:3]], name
    popup, inspector = window.finder.popup, window.panels.inspector
    for typed, body, point in (("wrist", "arm", "geom_xpos"), ("biceps", "arm", "xanchor")):
        if not popup.isVisible():
            opened(window, qtbot)
        qtbot.keyClicks(popup.field, typed)
        assert popup.current.title == typed
        qtbot.keyClick(popup.field, Qt.Key.Key_Return)
        assert not popup.isVisible()
        assert window.session.selection == window.session.loaded_model.body(body).id
        assert inspector.view.current.name == typed
        shown = getattr(window.session.snapshot.frame, point)[1]
        assert window.viewport.camera.lookat == pytest.approx(shown)
    opened(window, qtbot)
    assert [entry.title for entry in window.finder.find("")[:2]] == ["biceps", "wrist"]  # the last used first
    qtbot.keyClicks(popup.field, "qwxzzz")
    assert popup.nothing.isVisible()
    assert popup.nothing.text() == "No match for “qwxzzz”: no action, panel, element or signal"
    assert popup.field.accessibleDescription() == popup.nothing.text()
    assert not popup.list.isVisible()
    qtbot.keyClick(popup.field, Qt.Key.Key_Return)  # does nothing
    popup.field.setText("torso")
    assert popup.list.isVisible()
    assert not popup.nothing.isVisible()


def test_a_signal_is_plotted_by_enter(window, qtbot):
    read(window, qtbot, MODELS / "arm.xml")
    name = window.session.loaded_model.joint(0).name
    qtbot.keyClicks(window.finder.popup.field, f"qvel {name}")
    assert window.finder.popup.current.title == f"qvel[{name}]"
    qtbot.keyClick(window.finder.popup.field, Qt.Key.Key_Return)
    assert window.panels.dock("signals").isVisible()
    assert [signal.name for signal in window.panels.signals.panes[0].signals] == [f"qvel[{name}]"]


def test_palette_matches_subsequences_and_ranks_better_first():
    assert score(words_of("recvid"), "record video")
    assert not score(words_of("rzv"), "record video")
    ranked = sorted(("step back", "back to the file", "feedback"), key=lambda text: -score(["back"], text))
    assert ranked == ["step back", "back to the file", "feedback"]
    assert score(["x"], "xpos[torso, x]") == score(["torso"], "xpos[torso, x]")


# Tasks as a student would type them, and the panel for each.
TASKS = {
    "moment arm": "Actuators", "muscle curve": "Actuators", "force velocity": "Actuators", "activation": "Actuators",
    "slider crank": "Actuators", "adhesion": "Actuators", "transmission": "Actuators", "length range": "Actuators",
    "why does energy grow": "Balance, Energy", "which force": "Balance", "equation of motion": "Balance", "coriolis": "Balance",
    "gravity compensation": "Balance", "is energy conserved?": "Balance, Energy", "passive forces": "Balance",
    "power": "Balance, Energy",
    "poles": "Poles", "eigenvalues": "Poles", "linearization": "Poles", "why is it unstable": "Poles", "lqr": "Poles",
    "condition number": "Matrices", "inertia matrix": "Matrices", "jacobian": "Matrices", "delassus": "Matrices",
    "contact force": "Contacts", "friction cone": "Contacts", "why does it slip": "Contacts", "normal force": "Contacts",
    "constraint rows": "Contacts, Constraint rows", "reference acceleration": "Contacts, Constraint rows",
    "how do I see the contact forces": "Contacts",
    "natural map": "Hard contacts, Natural map", "spectral radius": "Hard contacts", "sor": "Hard contacts",
    "convergence": "Solver",
    "newton": "Solver", "dual problem": "Solver, Contact", "lcp": "Hard contacts", "inverse dynamics": "Inverse dynamics",
    "required torque": "Inverse dynamics",
    "warm start": "Solver", "sleep": "Islands and sleep", "why is it awake?": "Islands and sleep",
    "solref": "Parameters", "impedance": "Parameters", "regularization": "Parameters", "penetration": "Parameters",
    "time step": "Options", "integrator": "Options", "fluid": "Options", "hard contacts": "Options", "wind": "Options",
    "minkowski difference": "Collision", "gjk": "Collision", "why do they not collide": "Collision",
    "impact": "Contact events", "impulse": "Contact events", "what if": "Forks", "go back in time": "Timeline",
    "system identification": "Study", "sweep": "Study", "what is wrong": "Doctor", "control callback": "Control",
    "external force": "Applied forces", "xfrc_applied": "Applied forces", "why is it slow": "Performance",
    "why did it blow up": "Breakpoints", "save the state": "Keyframes", "plot a sensor": "Signals",
}  # fmt: skip


def test_a_task_leads_to_its_panel(window, qtbot):
    read(window, qtbot, MODELS / "arm.xml")
    astray = {}
    for task, title in TASKS.items():
        panels = [entry.title for entry in window.finder.find(task)[:4] if entry.kind is EntryKind.PANEL]
        if title not in panels[:2]:
            astray[task] = [(entry.kind.name, entry.title) for entry in window.finder.find(task)[:5]]
    assert not astray, astray


@pytest.mark.parametrize("task", ["why does energy grow", "constraint rows", "natural map", "dual problem", "how much memory"])
def test_a_task_turns_to_its_page(window, qtbot, task):
    read(window, qtbot, MODELS / "arm.xml")
    entry = window.finder.find(task)[0]
    title, page = entry.title.split(", ")
    entry.run()
    dock = next(dock for dock in window.panels.docks if dock.windowTitle() == title)
    qtbot.waitUntil(lambda: page in {bar.tabText(bar.currentIndex()) for bar in dock.findChildren(QTabBar)})


@pytest.mark.slow
def test_palette_opens_and_searches_large_model_quickly(window, qtbot):
    bodies = "".join(f'<body name="b{i}"><geom name="g{i}" size=".1" mass="1" contype="0"/></body>' for i in range(5000))
    model = MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    opened(window, qtbot)
    window.finder.popup.leave()
    finder = window.finder
    window.session.model = model  # compiled only: it does not have to run here
    try:
        before = thread_time()
        finder.toggle()
        spent = thread_time() - before
        assert spent < 0.05
        finder.index = index_of(model)
        assert len(finder.index.elements) > 10_000
        before = thread_time()
        matches = finder.find("g4321")
        assert thread_time() - before < 0.25  # a key's answer; usually a tenth of it
        assert matches[0].title == "g4321"
        assert finder.find("xpos b77 z")[0].title == "xpos[b77, z]"
    finally:
        window.session.model = None

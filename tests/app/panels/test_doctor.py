"""The doctor in the window: findings, the trial of a change, the way to the file, and the ways from trouble to it."""

from __future__ import annotations

import pytest
from PyQt6.QtCore import QPoint, Qt

from tests.app.conftest import MODELS, open_and_wait, open_panel, picture, written
from tests.app.doctor.test_rules import FLOOR, crate, lever, model
from tumble.app.doctor.finding import Severity
from tumble.app.editing.edits import EditPlace
from tumble.app.panels.doctor import examiner
from tumble.app.panels.doctor.examiner import Examiner
from tumble.app.panels.doctor.finding_view import APPLY, MOMENT, SILENCE, TRY, WRITE
from tumble.app.panels.forks.forks import RUNNING

pytestmark = pytest.mark.pumped
LEFT = Qt.MouseButton.LeftButton
RAISED = model(FLOOR + crate(0.1, 'solref="0.004 1" priority="1"'), option='timestep="0.005"')
SINKS = model(FLOOR + crate(0.1, 'solref="0.46 1" priority="1"'))
SLIPS = MODELS / "incline.xml"
SUNKEN = (("qpos", (0.0, 0.0, 0.0741, 1.0, 0.0, 0.0, 0.0)),)  # at rest
STEP = EditPlace("opt.timestep")


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    for name in ("IDLE", "SETTLED"):
        monkeypatch.setattr(examiner, name, 0)
    for name in ("LOOK_INTERVAL", "SIGN_INTERVAL"):
        monkeypatch.setattr(examiner, name, 0.05)


def press(qtbot, panel, name):
    button = panel.view.buttons[name]
    qtbot.waitUntil(button.isEnabled)
    qtbot.mouseClick(button, LEFT)


def save(qtbot, view):
    qtbot.waitUntil(lambda: view.isVisible() and view.save.isEnabled())
    text = view.text.toPlainText()
    qtbot.mouseClick(view.save, LEFT)
    qtbot.waitUntil(lambda: not view.isVisible())
    return text


def found(panel):
    return [panel.list.topLevelItem(row).text(0) for row in range(panel.list.topLevelItemCount())]


def test_a_finding_is_counted_tried_applied_and_written(window, qtbot, pump, tmp_path):
    session, path = window.session, written(tmp_path / "raised.xml", RAISED)
    open_and_wait(qtbot, session, path)
    qtbot.waitUntil(lambda: window.doctor.text() == "1 warning")  # of file and start: the panel does not exist yet
    assert not window.panels.dock("doctor").is_made
    qtbot.mouseClick(window.doctor, LEFT)
    panel = window.panels.doctor
    qtbot.waitUntil(lambda: panel.list.current is not None and panel.list.current.change.prediction is not None)
    assert "option.timestep: 0.005 → 0.002" in panel.view.words.text()

    place = panel.view.buttons[APPLY].mapToGlobal(QPoint())
    press(qtbot, panel, TRY)
    forks = window.panels.forks.forks
    qtbot.waitUntil(lambda: "The prediction holds" in panel.view.trial.text())
    assert "depth at rest" in panel.view.trial.text().lower()
    qtbot.waitUntil(lambda: forks.entries[0].state == RUNNING and forks.entries[0].moment is not None)
    assert forks.entries[0].name == "option.timestep 0.002"
    assert not panel.dock.visibleRegion().isEmpty()  # in front of Forks
    assert panel.view.buttons[APPLY].mapToGlobal(QPoint()) == place  # the tabs below take no button away from the mouse
    pump.run(0.1)
    assert forks.entries[0].moment.steps == pytest.approx(0.1 / 0.002, abs=3)
    press(qtbot, panel, TRY)  # again: not another fork
    qtbot.waitUntil(lambda: "The prediction holds" in panel.view.trial.text())
    assert len(forks.entries) == 1

    edits = window.edits
    press(qtbot, panel, APPLY)
    assert edits.value(STEP) == (0.002,)
    qtbot.waitUntil(lambda: found(panel) == ["applied"] and session.part(Examiner).share is None)
    assert not window.doctor.isVisible()
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: found(panel) == ["warning"])
    press(qtbot, panel, WRITE)  # applies it again
    assert edits.value(STEP) == (0.002,)
    assert '+<mujoco><option timestep="0.002"/>' in save(qtbot, window.panels.parameters.bar.view)
    assert path.read_text() == RAISED.replace('"0.005"', '"0.002"')
    qtbot.waitUntil(lambda: found(panel) == [] and "Nothing is wrong" in panel.view.words.text())


def test_a_rule_is_silenced_in_the_file(window, qtbot, pump, tmp_path):
    path = written(tmp_path / "raised.xml", RAISED)
    panel = open_panel(qtbot, window, "doctor", path)
    qtbot.waitUntil(lambda: found(panel) == ["warning"])
    press(qtbot, panel, SILENCE)
    assert 'name="doctor_silence" data="soft-contact"' in save(qtbot, panel.writing.view)
    qtbot.waitUntil(lambda: found(panel) == [])
    panel.go.click()
    qtbot.waitUntil(lambda: session_idle(window))
    assert found(panel) == []
    open_and_wait(qtbot, window.session, path)
    qtbot.waitUntil(lambda: window.session.part(Examiner).whole)
    assert found(panel) == []


def session_idle(window):
    examined = window.session.part(Examiner)
    return examined.share is None and examined.whole


def test_what_the_running_simulation_shows_becomes_a_finding_with_its_moment(window, qtbot, pump, tmp_path, monkeypatch):
    monkeypatch.setattr("tumble.app.doctor.case.SECONDS", 0.002)  # too short to see it sink
    path = written(tmp_path / "sinks.xml", SINKS)
    panel = open_panel(qtbot, window, "doctor", path)
    session = window.session
    qtbot.waitUntil(lambda: session_idle(window))
    assert "sink" not in [finding.rule for finding in session.part(Examiner).findings]
    session.reset(state=SUNKEN)
    session.set_paused(False)
    pump.run_until(lambda: "sink" in [finding.rule for finding in session.part(Examiner).findings])
    (finding,) = [finding for finding in session.part(Examiner).findings if finding.rule == "sink"]
    assert window.doctor.isVisible()
    panel.list.choose(finding.key)
    qtbot.mouseClick(panel.list.viewport(), LEFT, pos=panel.list.visualItemRect(panel.list.currentItem()).center())
    assert set(session.contact_choice.pair) == {0, 1}
    pump.run(0.1)
    assert f"<a href='{MOMENT}'" in panel.view.words.text()
    panel.view.followed.emit(MOMENT)
    qtbot.waitUntil(lambda: session.paused and session.snapshot.time == pytest.approx(finding.time, abs=0.1))


def test_a_slipping_or_deep_contact_leads_to_the_doctor(window, qtbot, pump, tmp_path):
    session = window.session
    contacts = open_panel(qtbot, window, "contacts", written(tmp_path / "sinks.xml", SINKS))
    session.reset(state=SUNKEN)
    session.set_paused(False)
    pump.run(0.05)
    contacts.refresh()
    assert "crate is so deep" in contacts.doctor.toolTip()
    qtbot.mouseClick(contacts.doctor, LEFT)
    panel = window.panels.doctor
    qtbot.waitUntil(lambda: panel.list.current is not None and panel.list.current.rule == "sink")
    assert panel.dock.isVisible()

    contacts = open_panel(qtbot, window, "contacts", SLIPS)
    session.set_paused(False)
    pump.run(0.2)
    contacts.refresh()
    assert not contacts.doctor.isEnabled()  # none is deep, and none is chosen
    slope, ice = session.model.geom("slope").id, session.model.geom("ice").id
    session.contact_choice.choose_pair((slope, ice), session.model, session.snapshot)
    contacts.refresh()
    qtbot.mouseClick(contacts.doctor, LEFT)
    qtbot.waitUntil(lambda: session.part(Examiner).share is None)
    pairs = [set(finding.pair) for finding in session.part(Examiner).findings if finding.pair is not None]
    assert {slope, ice} in pairs or "Nothing found about" in panel.state.text()


@pytest.mark.threaded
def test_a_blow_up_is_counted_though_the_panel_was_never_opened(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "blowup.xml")
    window.session.set_paused(False)
    qtbot.waitUntil(lambda: bool(window.viewport.error))
    findings = window.session.part(Examiner).findings
    assert ("blow-up", Severity.ERROR) in [(finding.rule, finding.severity) for finding in findings]
    assert window.doctor.text().startswith(f"{sum(f.severity is Severity.ERROR for f in findings)} error")
    assert not window.panels.dock("doctor").is_made


def test_changes_only_the_file_can_express_are_not_offered(window, qtbot, pump, tmp_path):
    text = lever(actuator='<general name="g" joint="j" gear="0"/>')
    panel = open_panel(qtbot, window, "doctor", written(tmp_path / "unused.xml", text))
    qtbot.waitUntil(lambda: panel.list.current is not None)
    for name in (TRY, APPLY, WRITE):
        assert not panel.view.buttons[name].isEnabled()
        assert panel.view.buttons[name].toolTip()
    assert picture(window.viewport)


def test_layouts_and_replays_know_the_panel_by_its_former_name(window, qtbot, pump):
    dock = window.panels.dock("doctor")
    assert (dock.objectName(), dock.windowTitle()) == ("check", "Doctor")
    assert not dock.isVisible()
    window.panels.open(["check"])
    assert dock.isVisible()
    assert window.panels.open_names().count("check") == 1

"""Of a model that is reloaded the sliders stay, with what is open under them; those of another are made anew."""

from PyQt6.QtCore import Qt

from tests.app.conftest import MODELS, open_and_wait


def test_a_reload_leaves_the_sliders_and_another_range_makes_new_ones(window, qtbot, tmp_path):
    path = tmp_path / "arm.xml"
    path.write_text((MODELS / "arm.xml").read_text())
    open_and_wait(qtbot, window.session, path)
    session, panels = window.session, window.panels
    (row, *_), (joint, *_) = panels.control.rows, panels.joints.rows
    qtbot.mouseClick(row.wave, Qt.MouseButton.LeftButton)
    before = session.model
    with qtbot.waitSignal(session.model_loaded):
        window.reload()
    assert session.model is not before
    assert panels.control.rows[0] is row
    assert panels.joints.rows[0] is joint
    assert row.editor.isVisibleTo(row)
    session.set_paused(True)
    row.slider.setValue(row.slider.maximum())
    joint.slider.setValue(joint.slider.maximum())
    qtbot.waitUntil(lambda: session.snapshot.ctrl[0] == 1.5)
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] > 1.0)
    with qtbot.waitSignal(session.model_loaded):
        path.write_text(path.read_text().replace("1.5", "1.25"))
    assert panels.control.rows[0] is not row
    qtbot.waitUntil(lambda: panels.control.rows[0].isVisible())

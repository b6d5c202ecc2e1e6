"""A model whose textures or skins cannot be had is opened without them when the user asks for it; notes are told."""

import pytest

from tests.app.conftest import MODELS
from tests.app.rescue.test_report import button, errors
from tumble.__main__ import main

XML = """<mujoco><asset><texture name="gone" type="2d" file="gone.png"/><material name="m" texture="gone" rgba="1 0 0 1"/></asset>
<worldbody><body name="b"><joint range="2 1" damping="1"/><geom size=".1" material="m"/></body></worldbody></mujoco>"""


@pytest.fixture
def bare(tmp_path):
    """A model that lacks a picture."""
    path = tmp_path / "bare.xml"
    path.write_text(XML)
    return path


def test_the_error_offers_to_open_the_model_without_what_concerns_its_looks(window, qtbot, bare):
    session = window.session
    with qtbot.waitSignal(session.load_failed):
        window.open_path(bare)
    dialog = errors(window, qtbot)
    assert "gone.png" in dialog.message.text()
    with qtbot.waitSignal(session.model_loaded):
        button(dialog, "Open without them").click()
    assert (session.model.ntex, session.model.nmat) == (0, 1)
    assert len(session.model.notes) == 2
    assert window.statusBar().currentMessage().endswith(", with 2 notes: see the log")
    with qtbot.waitSignal(session.model_loaded):
        session.reload()  # which it does as it was opened
    assert session.model.ntex == 0
    assert session.bundle.compile().nmat == 1  # and so do replays


def test_other_errors_offer_nothing(window, qtbot):
    with qtbot.waitSignal(window.session.load_failed):
        window.open_path(MODELS / "broken.xml")
    assert not window.session.load_error.looks
    assert window.safety.desk.dialog is None


def test_check_prints_the_notes_of_a_file_once_and_all_parts_that_are_not_supported(tmp_path, capsys, caplog):
    odd = tmp_path / "odd.xml"
    odd.write_text(XML.replace(' file="gone.png"', ' builtin="flat" width="2" height="2"'))
    assert main(["check", str(odd), "--seconds", "0.01"]) == 0
    assert f"note: {odd}:2:27: <joint> range is reversed" in capsys.readouterr().out
    assert not [record for record in caplog.records if "is reversed" in record.getMessage()]
    plugin = '<plugin plugin="p"/>'
    odd.write_text(XML.replace("<body ", plugin + "<body ").replace("</mujoco>", f"<actuator>{plugin}</actuator></mujoco>"))
    assert main(["check", str(odd), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert said.count("<plugin> is not supported yet") == 2

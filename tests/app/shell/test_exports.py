"""Other forms of model and data, and the groups that menus switch."""

from pathlib import Path

import pytest
from PyQt6.QtWidgets import QFileDialog, QMenu

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.look.actions import plain
from tumble.app.session.loader import check_path

pytestmark = pytest.mark.pumped


def test_model_and_data_are_written_in_other_forms_and_every_kind_of_group_has_its_menu(
    window, qtbot, pump, tmp_path, monkeypatch
):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    pump.run(0.1)
    offered = []

    def choose(parent, title, name, pattern):
        offered.append(Path(name).name)
        return str(tmp_path / offered[-1]), pattern

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    said = []
    window.session.status.connect(said.append)
    for form in ("print_model", "print_data", "save_binary"):
        window.actions_by_name[form].trigger()
        pump.obey()
    qtbot.waitUntil(lambda: sum(text.startswith("Saved ") for text in said) == 3)
    assert offered == ["arm-model.txt", "arm-data.txt", "arm.tumble-model"]
    assert "hinge" in (tmp_path / offered[0]).read_text()
    assert f"{pump.simulation.data.qpos[0]:.4g}"[:4] in (tmp_path / offered[1]).read_text()
    check_path(tmp_path / offered[2])  # a name with which it opens
    assert physics.MjModel.from_binary_path(str(tmp_path / offered[2])).nq == 1
    found = window.menuBar().findChildren(QMenu)
    menus = {plain(menu.title()): [plain(action.text()) for action in menu.actions()] for menu in found}
    assert menus["Joints"] == [f"Joint group {i}" for i in range(6)]
    groups = window.viewport.options.joint_group
    before = list(groups)
    window.actions_by_name["joint_group_3"].trigger()
    assert groups == [*before[:3], not before[3], *before[4:]]

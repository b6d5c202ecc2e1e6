"""What is told in two places is the same in both: the gap of a contact, the size of a model, what the README quotes."""

import re
from pathlib import Path

import pytest
from PyQt6.QtCore import Qt

from tests.app.conftest import MODELS, open_and_wait
from tumble import physics
from tumble.app.cli import main as commands
from tumble.app.describe.numbers import MINUS
from tumble.app.viewport.readout import info_lines

README = Path(__file__).parents[3] / "README.md"
# A soft box that rests within the margin: it is carried, and touches nothing.
FLOATING = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 0.103"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="1" margin="0.004" solref="0.04 1"/></body>
</worldbody></mujoco>"""


def metres(text):
    """A length in words."""
    number, _, unit = text.replace(MINUS, "-").strip().partition(" ")
    return float(number) * {"": 1.0, "m": 1.0, "mm": 1e-3, "µm": 1e-6, "nm": 1e-9}[unit]


def test_a_contact_in_its_margin_has_one_gap_in_the_table_and_in_the_lab(window, qtbot, pump, tmp_path):
    path = tmp_path / "floating.xml"
    path.write_text(FLOATING)
    open_and_wait(qtbot, window.session, path)
    contacts, parameters = window.panels.contacts, window.panels.parameters
    for panel in (contacts, parameters):
        panel.dock.bring()
    window.session.select(1)
    window.session.set_paused(False)
    pump.run(1.0)
    window.session.set_paused(True)
    qtbot.waitUntil(lambda: contacts.live and parameters.live)
    qtbot.waitUntil(lambda: parameters.lab.facts["gap"].isVisibleTo(parameters))
    model = contacts.contacts.model()
    titles = [model.headerData(k, Qt.Orientation.Horizontal) for k in range(model.columnCount())]
    table = 1e-3 * float(model.index(0, titles.index("Gap mm")).data().replace(MINUS, "-"))
    gap, _, start = parameters.lab.facts["gap"].text().partition("   force from ")
    depth = parameters.lab.facts["now"].text().partition("   ")[0]
    assert 1e-4 < table < 0.004  # within the margin, above the surface
    assert metres(gap) == pytest.approx(table, abs=1e-6)
    assert start == "4 mm on"
    assert metres(depth) + metres(gap) == pytest.approx(0.004, abs=1e-6)


def test_window_and_commands_count_the_same_bodies(window, qtbot, pump, capsys, caplog):
    path = MODELS / "boxes.xml"
    open_and_wait(qtbot, window.session, path)
    bodies = dict(info_lines(window.session))["bodies"]
    assert bodies == str(window.session.loaded_model.nbody - 1)
    assert window._summary.text().startswith(f"{bodies} bodies ")
    assert f"{bodies} bodies," in caplog.text
    commands.run("check", [str(path), "--seconds", "0.01", "--quiet"])
    commands.run("bench", [str(path), "--wall", "0.01", "--quiet"])
    check, bench = (line for line in capsys.readouterr().out.splitlines() if "bodies" in line)
    assert f" {bodies} bodies," in check
    assert f" {bodies} bodies," in bench


def test_the_message_that_the_readme_quotes_is_the_one_that_comes(tmp_path):
    quoted = re.search(r"`model\.xml:(\d+):(\d+): (<geom>[^`]*is ([\d ]+))`", README.read_text("utf-8"))
    line, column, message, size = quoted.groups()
    head = "<mujoco><worldbody>" + "\n" * (int(line) - 1) + " " * (int(column) - 1)
    path = tmp_path / "model.xml"
    path.write_text(f'{head}<geom type="box" size="{size.removesuffix(" 0")}"/></worldbody></mujoco>')
    with pytest.raises(physics.MjcfError) as told:
        physics.MjModel.from_xml_path(str(path))
    assert str(told.value).replace(str(tmp_path) + "/", "") == f"model.xml:{line}:{column}: {message}"

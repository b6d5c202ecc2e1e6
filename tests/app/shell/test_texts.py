"""Texts of the window are true: now, in all places alike, and with names that exist."""

import ast
import re
from datetime import datetime
from pathlib import Path

import pytest
from PyQt6.QtCore import QLockFile, QPoint, Qt
from PyQt6.QtWidgets import QLabel

from tests.app.conftest import MODELS, open_and_wait, written
from tumble import physics
from tumble.app.cli import main as commands
from tumble.app.describe.numbers import MINUS
from tumble.app.panels.table import PANELS
from tumble.app.rescue.recovery import Left
from tumble.app.rescue.recovery_dialog import RecoveryDialog
from tumble.app.rescue.report import _replay_part
from tumble.app.session.history import Cut
from tumble.app.viewport.overlay import LEFT_VIEW, info_lines

ARM, BOXES, LEFT = MODELS / "arm.xml", MODELS / "boxes.xml", Qt.MouseButton.LeftButton


def test_what_was_said_of_an_earlier_state_is_gone_after_it(window, qtbot, pump):
    open_and_wait(qtbot, window.session, ARM)
    panel, session = window.panels.breakpoints, window.session
    panel.dock.bring()
    session.set_paused(False)
    panel.breakpoints.add("time > 0.0995")
    pump.run(0.5)
    qtbot.waitUntil(lambda: session.paused and "Stopped at 0.100 s" in panel.place.text())
    assert panel.place.isVisibleTo(panel)
    session.set_paused(False)
    pump.run(0.05)
    qtbot.waitUntil(lambda: "Stopped last at 0.100 s" in panel.place.text())
    session.set_paused(True)
    session.reset()
    qtbot.waitUntil(lambda: not panel.place.isVisibleTo(panel))
    assert panel.breakpoints.last is None  # nor is it said by a panel that is opened now
    bar = window.statusBar()
    session.load_started.emit("model.tumble-model")  # a script's: that it is there is not said
    assert bar.currentMessage() == "Loading model.tumble-model"
    session.load_ended.emit({})
    assert bar.currentMessage() == ""


def test_state_reset_by_engine_keeps_its_explanation(window, qtbot, pump):
    open_and_wait(qtbot, window.session, MODELS / "blowup.xml")
    panel = window.panels.breakpoints
    panel.dock.bring()
    panel.breakpoints.set_on("blowup", True)
    window.session.set_paused(False)
    pump.run(5.0)
    qtbot.waitUntil(lambda: panel.dofs.isVisibleTo(panel))
    assert "Stopped at" in panel.place.text()
    assert panel.report.text() == f"The most violent dofs and constraints at {panel.place.text().split()[2]} s:"


def test_sleep_and_numbers_of_bodies_are_told_alike_everywhere(window, qtbot, pump, capsys, caplog):
    open_and_wait(qtbot, window.session, BOXES)
    window.session.set_paused(True)
    panel = window.panels.islands
    panel.dock.bring()
    qtbot.waitUntil(lambda: panel.live and panel.table.rows.reading is not None)
    qtbot.mouseClick(panel.table.viewport(), LEFT, pos=panel.table.visualRect(panel.table.rows.index(1, 0)).center())

    def said():
        return f"{panel.note.text()} {panel.detail.text()} {panel.table.rows.describe(1)}"

    assert "sleeping is off" not in said()
    qtbot.mouseClick(panel.switch, LEFT, pos=QPoint(8, 8))
    assert not panel.switch.isChecked()
    assert said().count("leeping is off") == 3  # before the simulation has had the time to answer
    pump.obey()
    qtbot.mouseClick(panel.switch, LEFT, pos=QPoint(8, 8))
    assert panel.switch.isChecked()
    assert "leeping is off" not in said()
    path = MODELS / "boxes.xml"
    bodies = dict(info_lines(window.session))["bodies"]
    assert bodies == str(window.session.loaded_model.nbody - 1)
    assert window._summary.text().startswith(f"{bodies} bodies ")
    assert f"{bodies} bodies," in caplog.text
    commands.run("check", [str(path), "--seconds", "0.01", "--quiet"])
    commands.run("bench", [str(path), "--wall", "0.01", "--quiet"])
    check, bench = (line for line in capsys.readouterr().out.splitlines() if "bodies" in line)
    assert f" {bodies} bodies," in check
    assert f" {bodies} bodies," in bench


@pytest.mark.parametrize("paused", [True, False])
def test_only_a_simulation_that_stands_asks_to_be_played(window, qtbot, pump, paused):
    window.session.set_paused(paused)
    open_and_wait(qtbot, window.session, ARM)
    panels = window.panels
    for key in ("solver", "contact_events", "signals"):
        panels.dock(key).bring()
    panels.signals.add("time")
    texts = [
        panels.signals.status.text(),
        panels.solver.rolling.summary.text(),
        panels.solver.convergence.summary.text(),
        panels.contact_events.empty_text(),
    ]
    for text in texts:
        assert text
        assert ("Space" in text) == paused, text


def left_by(folder, seconds):
    return Left(folder / "it.tumble", "humanoid.xml", datetime.now().timestamp(), QLockFile(str(folder / "a.lock")), "", seconds)


def test_what_was_saved_is_as_long_as_it_is_said_to_be(window, qtbot, pump, tmp_path):
    dialog = RecoveryDialog([left_by(tmp_path, 0.5)], datetime.now())
    qtbot.addWidget(dialog)
    texts = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("0.50 s" in text for text in texts)
    assert not any("10 s" in text for text in texts)
    open_and_wait(qtbot, window.session, ARM)
    window.session.set_paused(False)
    pump.run(0.5)
    cuts = []
    window.session.history.cut(cuts.append, 10.0)
    pump.obey()
    part = _replay_part(cuts[0], {}, [])
    assert part.about == "a replay of the last 0.50 s of simulated time"
    assert isinstance(cuts[0], Cut)
    assert cuts[0].replay({}, []).view["seconds"] == pytest.approx(0.5, abs=0.01)


def test_hint_shows_while_a_body_is_out_of_view(window, qtbot, pump, tmp_path):
    path = written(
        tmp_path / "no_floor.xml", '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    open_and_wait(qtbot, window.session, path)
    view, session = window.viewport, window.session
    hint = lambda: view._overlay().hint  # noqa: E731
    pump.run(0.01)
    view.grabFramebuffer()
    assert hint() == ""
    session.set_paused(False)
    pump.run(1.5)
    qtbot.waitUntil(lambda: session.snapshot.time > 1.0)
    view.grabFramebuffer()
    assert hint() == LEFT_VIEW
    session.reset()
    pump.obey()
    qtbot.waitUntil(lambda: session.snapshot.time == 0)
    view.grabFramebuffer()
    assert hint() == ""


README = Path(__file__).parents[3] / "README.md"
# A soft box that rests within the margin: it is carried, and touches nothing.
FLOATING = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 0.103"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="1" margin="0.004" solref="0.04 1"/></body>
</worldbody></mujoco>"""


def metres(text):
    """A length in words."""
    number, _, unit = text.replace(MINUS, "-").strip().partition(" ")
    return float(number) * {"": 1.0, "m": 1.0, "mm": 1e-3, "µm": 1e-6, "nm": 1e-9}[unit]


def test_contact_gap_in_margin_agrees_in_table_and_lab(window, qtbot, pump, tmp_path):
    open_and_wait(qtbot, window.session, written(tmp_path / "floating.xml", FLOATING))
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


def test_error_message_quoted_in_readme_is_exact(tmp_path):
    quoted = re.search(r"`model\.xml:(\d+):(\d+): (<geom>[^`]*is ([\d ]+))`", README.read_text("utf-8"))
    line, column, message, size = quoted.groups()
    head = "<mujoco><worldbody>" + "\n" * (int(line) - 1) + " " * (int(column) - 1)
    path = written(tmp_path / "model.xml", f'{head}<geom type="box" size="{size.removesuffix(" 0")}"/></worldbody></mujoco>')
    with pytest.raises(physics.MjcfError) as caught:
        physics.MjModel.from_xml_path(str(path))
    assert str(caught.value).replace(str(tmp_path) + "/", "") == f"model.xml:{line}:{column}: {message}"


ROOT = Path(__file__).parents[3]
MENUS = ("File", "Edit", "Simulation", "View", "Tools", "Window", "Help")
ENTRY = re.compile(rf"\b({'|'.join(MENUS)}),\s([A-Z][^*.:;)]*)")
NO_NAMES = {"A", "An", "Each", "Every", "The", "This"}
PANEL = re.compile(r"\b((?:[A-Za-z]+ ){1,3})panel\b")
KEY = re.compile(r"\b(?:(?:Ctrl|Alt|Shift)\+)+(?:F\d+|Tab|Backtab|[A-Z0-9,](?!\w))")
OF_THE_SYSTEM = {"Shift+F10"}  # the menu of what is chosen


def constants(path):
    """The texts in a module, those of a formatted one in pieces; no docstrings."""
    docs = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):  # what holds a docstring comes before it
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body and isinstance(node.body[0], ast.Expr):
            docs.add(id(node.body[0].value))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def texts(*patterns):
    """Where, and what: all that the program says, and the documents; only from files in which a pattern is found."""
    modules = sorted((ROOT / "app").rglob("*.py"))
    named = [path for path in modules if any(pattern.search(path.read_text("utf-8")) for pattern in patterns)]
    pages = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
    said = [(str(path.relative_to(ROOT)), text) for path in named for text in constants(path)]
    return said + [(str(path.relative_to(ROOT)), " ".join(path.read_text("utf-8").replace("*", "").split())) for path in pages]


def titled(action):
    return action.text().replace("&", "").rstrip("…")


def entries(menu):
    """The entries of a menu and of those below it."""
    for action in menu.actions():
        yield titled(action)
        below = action.menu()
        if below is not None:
            yield from entries(below)


@pytest.mark.slow
def test_every_menu_entry_and_panel_that_a_text_names_exists(window):
    bar = window.menuBar()
    menus = {titled(top): list(entries(top.menu())) for top in bar.actions() if top.menu() is not None}
    assert set(menus) == set(MENUS)
    panels = {spec.title for spec in PANELS}
    unknown, seen = [], 0
    for where, text in texts(re.compile(rf"\b({'|'.join(MENUS)})\b"), PANEL):
        for menu, rest in ENTRY.findall(text):
            seen += 1
            if not any(rest.startswith(entry) for entry in menus[menu]):
                unknown.append(f"{where}: {menu}, {rest}")
        for found in PANEL.findall(text) if "panel" in text else ():
            words = found.split()
            names = {" ".join(words[k:]) for k in range(len(words))}
            written_small = bool({name.capitalize() for name in names} & panels)
            named = words[-1][0].isupper() and words[-1] not in NO_NAMES
            if not names & panels and (written_small or named):
                unknown.append(f"{where}: the {found}panel")
    assert not unknown
    assert seen > 20


def test_every_key_that_a_text_names_is_that_of_an_action(window):
    keys = {key.toString() for action in window.actions_by_name.values() for key in action.shortcuts()} | OF_THE_SYSTEM
    named = [(where, key) for where, text in texts(KEY) for key in KEY.findall(text)]
    assert [f"{where}: {key}" for where, key in named if key not in keys] == []
    assert len(named) > 80

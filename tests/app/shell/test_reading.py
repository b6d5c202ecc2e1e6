"""Help, Reading the seeds: what the page names exists, and a click on a name goes there."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PyQt6.QtCore import QUrl

from tests.app.conftest import MODELS, open_and_wait
from tumble import mujoco, physics
from tumble.app.describe.signals import Catalogue
from tumble.app.library.examples import EXAMPLES
from tumble.app.look.panel_parts import texts
from tumble.app.palette.entries import PATH, in_menus, keys_of
from tumble.app.panels.balance import words
from tumble.app.shell.reading.page import DOCS, FIRST, SCRIPTS, italics, linked, scripts

pytestmark = pytest.mark.pumped

PAGE = (DOCS / FIRST).read_text("utf-8")
KEYS = re.findall(r"(?<!\*)\*\*([^*\n]+)\*\*", PAGE)
CODE = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
EXAMPLE_PATHS = {example.title: example.path for example in EXAMPLES}
# Rows of the panel Balance, which has them for models with such forces.
ROWS = {text for text, _ in words._WORDS.values()}
# Italics that are neither places nor examples: titles of texts.
TITLES = {"MuJoCo/actuator documentation"}


@pytest.fixture(scope="module")
def catalogues() -> dict[str, Catalogue]:
    """Signals of the examples, by title."""
    named = {example.title: example for example in EXAMPLES if example.title in italics(PAGE)}
    return {title: Catalogue(physics.MjModel.from_xml_path(str(example.path))) for title, example in named.items()}


def test_menus_panels_and_examples_of_the_page_exist(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    places, shown, missing = window.reading.places, set(ROWS), []
    menus = {", ".join(path.split(PATH)) for path, _ in in_menus(window.menuBar())}
    for line in PAGE.splitlines():
        panel = None
        for name in italics(line):
            if name in TITLES | menus or places.is_example(name):
                continue
            place = places.find(name)
            if place is None:  # a text in a panel named before it in the row
                missing += [name] if panel is None or name not in shown else []
                continue
            if place.dock is not None:
                place.dock.bring()
                qtbot.waitUntil(lambda dock=place.dock: dock.panel is not None)
                panel = place.dock
                shown |= {text for _, text in texts(panel)}
                missing += [name] if place.part and place.part not in {text for _, text in texts(panel)} else []
    assert not missing, missing


def test_keys_of_the_page_are_those_of_actions(window):
    known = {keys_of(action) for action in window.actions_by_name.values()}
    assert len(KEYS) > 10
    assert set(KEYS) <= known


def test_fields_and_programs_of_the_page_exist(catalogues):
    fields = {info.name for catalogue in catalogues.values() for group in catalogue.groups.values() for info in group}
    unknown = []
    for name in CODE:
        program = name.endswith(".py") and (SCRIPTS / name).is_file()
        command = name.startswith("tumble ")
        if not (program or command or name in fields or any(c.knows(name) for c in catalogues.values())):
            unknown.append(name)
    assert not unknown, unknown
    functions = set(re.findall(r"\bmjd?_\w+", PAGE))
    assert {name for name in functions if not hasattr(mujoco, name)} == set()


def test_numbers_of_the_page_are_those_of_the_examples():
    m = physics.MjModel.from_xml_path(str(EXAMPLE_PATHS["Columns that stand"]))
    d = physics.MjData(m)
    physics.mj_step(m, d, 250)
    assert f"of {d.nefc} rows" in PAGE
    m = physics.MjModel.from_xml_path(str(EXAMPLE_PATHS["Dominoes"]))
    d = physics.MjData(m)
    tree = m.body_treeid[m.body("domino_00").id]
    while d.tree_asleep[tree] >= 0 and d.time < 1:
        physics.mj_step(m, d)
    assert f"it stops at {d.time:.3f} s, in the step in which the hammer wakes domino_00" in PAGE
    m = physics.MjModel.from_xml_path(str(EXAMPLE_PATHS["Boxes on a slope"]))
    d = physics.MjData(m)
    physics.mj_step(m, d, 1500)
    begin, seconds = d.body("rubber").xpos.copy(), 500 * m.opt.timestep
    physics.mj_step(m, d, 500)
    creep = 1e3 * np.linalg.norm(d.body("rubber").xpos - begin) / seconds
    assert f"creeps, {creep:.1f} mm a second" in PAGE


def test_a_click_opens_panel_page_example_and_program(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    window.actions_by_name["reading"].trigger()
    reading = window.reading
    assert reading.isVisible()
    assert reading.sections.count() > 10
    assert reading.page.document().toPlainText().startswith("Reading the seeds")
    reading.page.anchorClicked.emit(QUrl("place:Window%2C%20Balance%2C%20Energy"))
    balance = window.panels.dock("balance")
    qtbot.waitUntil(balance.isVisible)
    tabs = next(widget for widget, text in texts(balance) if text == "Energy")
    qtbot.waitUntil(lambda: tabs.tabText(tabs.currentIndex()) == "Energy")
    reading.page.anchorClicked.emit(QUrl("place:Slider-crank"))
    qtbot.waitUntil(lambda: window.session.path is not None and window.session.path.name == "slider_crank.xml")
    reading.page.anchorClicked.emit(QUrl("lcp.md"))
    assert reading.page.document().toPlainText().startswith("Hard contacts")
    assert reading.back.isEnabled()
    reading.back.click()
    reading.page.anchorClicked.emit(QUrl("place:three_loops.py"))
    assert reading.program.isVisible()
    assert "mj_step1" in reading.program.text.toPlainText()
    reading.program.run.click()
    assert not reading.program.run.isEnabled()
    qtbot.waitUntil(reading.program.run.isEnabled)
    assert '"steps": 2000' in reading.program.output.toPlainText()
    reading.program.run.click()
    reading.close()
    assert reading.program.output.toPlainText() == "Stopped"


def test_a_click_on_a_choice_or_column_shows_it_and_edits_nothing(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "heap.xml")
    follow = window.reading.places.go
    follow("Window, Contacts, Residual")
    qtbot.waitUntil(lambda: window.panels.contacts.tabs.tabText(window.panels.contacts.tabs.currentIndex()) == "Constraint rows")
    follow("Window, Matrices, Actuator moments")
    qtbot.waitUntil(lambda: window.panels.matrices.kind.currentText() == "Actuator moments")
    follow("Window, Options, hard, LCP")
    choice = window.panels.options.choices["contacts"].box
    qtbot.waitUntil(choice.hasFocus)
    assert choice.currentText() != "hard, LCP"


def test_a_click_on_an_option_scrolls_to_it_and_gives_its_field_the_keyboard(window, qtbot):
    open_and_wait(qtbot, window.session, MODELS / "arm.xml")
    follow = window.reading.places.go
    follow("Window, Options, method")
    qtbot.waitUntil(lambda: window.panels.dock("options").is_made)
    options = window.panels.options
    for name, field in (
        ("method", options.choices["method"].box),
        ("sleep_tolerance", options.numbers["sleep_tolerance"].fields[0]),
        ("fwdinv", options.flags["fwdinv"]),
    ):
        follow(f"Window, Options, {name}")
        qtbot.waitUntil(field.hasFocus)
        assert not field.visibleRegion().isEmpty(), name


def test_names_become_links_only_where_the_window_has_them():
    assert linked("*Window, Log* and *no place*, `a.py`, **F2**", lambda name: "Log" in name) == (
        "[Window, Log](place:Window%2C%20Log) and *no place*, [a.py](place:a.py), **F2**"
    )
    assert len(scripts(PAGE)) >= 9

"""What texts name exists: every menu entry in the form "Window, Time line", every panel, every key with Ctrl, Alt or Shift."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from tumble.app.panels.table import PANELS

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


@cache
def texts():
    """Where, and what: all that the program says, and the documents."""
    modules = sorted((ROOT / "app").rglob("*.py"))
    pages = (ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md")))
    said = [(str(path.relative_to(ROOT)), text) for path in modules for text in constants(path)]
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
    for where, text in texts():
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
    named = [(where, key) for where, text in texts() for key in KEY.findall(text)]
    assert [f"{where}: {key}" for where, key in named if key not in keys] == []
    assert len(named) > 80

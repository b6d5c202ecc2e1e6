"""What the window says of keys is what Qt shows of them: on macOS, Ctrl of a shortcut is the command key, and written so."""

import ast
import sys
from pathlib import Path

import pytest
from PyQt6.QtGui import QKeySequence

from tumble.app.base.keys_in_text import with_keys

APP = Path(__file__).resolve().parents[3] / "app"
# Ctrl+C in a terminal is that key on every system; the others read keys, or hand them to Qt.
OTHERS = ("cli/", "mujoco/", "preferences/keys.py", "preferences/keyboard.py", "base/keys_in_text.py")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("reload it (Ctrl+L)", "reload it (⌘L)"),
        ("Save  (Ctrl+Shift+K)", "Save  (⇧⌘K)"),
        ("Ctrl+Alt+Shift+F6", "⌥⇧⌘F6"),
        ("Ctrl+click or Shift+click", "⌘click or ⇧click"),
        ("hold <b>Ctrl</b> and drag", "hold <b>⌘</b> and drag"),
        ("Ctrl + right drag (Shift: in the plane)", "⌘ + right drag (Shift: in the plane)"),
        ("controls, Control, Alternative", "controls, Control, Alternative"),
    ],
)
def test_keys_are_written_as_on_macos(monkeypatch, text, shown):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert with_keys(text) == shown


def test_elsewhere_keys_are_written_as_qt_writes_them():
    assert with_keys("Ctrl+Shift+K") == QKeySequence("Ctrl+Shift+K").toString(QKeySequence.SequenceFormat.NativeText)


def _names_key(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and "Ctrl" in node.value


def _unmarked(node):
    """Lines of texts that name Ctrl, but for docstrings, keys that Qt reads, and what goes through `with_keys`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id in ("with_keys", "QKeySequence"):
            return []
        if node.func.id == "ActionSpec":  # its keys are in a tuple; `make` shows its tip
            return [line for part in node.args for line in _unmarked(part) if not isinstance(part, ast.Tuple)]
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return []
    own = [node.lineno] if isinstance(node, ast.Constant) and _names_key(node) else []
    return own + [line for child in ast.iter_child_nodes(node) for line in _unmarked(child)]


def test_no_text_of_the_window_names_ctrl_by_itself():
    found = []
    for path in sorted(APP.rglob("*.py")):
        name = path.relative_to(APP).as_posix()
        text = path.read_text("utf-8")
        if "Ctrl" in text and not name.startswith(OTHERS):
            found += [f"{name}:{line}" for line in _unmarked(ast.parse(text))]
    assert found == []

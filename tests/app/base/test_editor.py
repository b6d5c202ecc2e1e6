"""Opening a file at a line: which editor is found, and that a file name is one argument whatever is in it."""

import sys
from pathlib import Path

import pytest

from tumble.app.base import editor
from tumble.app.base.settings import EDITOR, Settings


def _installed(*names):
    return lambda name: f"/usr/bin/{name}" if name in names else None


def test_the_users_own_editor_comes_before_those_that_are_found():
    found = editor.known(_installed("vim", "code", "xterm"), {"VISUAL": "vim"})
    assert found == ["xterm -e vim +{line} {file}", "code -g {file}:{line}:{column}"]
    assert editor.known(_installed("vim"), {"EDITOR": "vim"}) == []  # without a terminal it has nowhere to go
    assert editor.known(_installed("myed", "kate"), {"EDITOR": "myed -x"})[0] == "myed -x {file}"


@pytest.mark.parametrize("name", ["a b.xml", "x'; rm -rf ~ #.xml", "$(touch bad).xml", "{line}.xml", '"quoted".xml', "-g.xml"])
def test_a_file_name_stays_one_argument(tmp_path, name):
    path = tmp_path / name
    assert editor.arguments("code -g {file}:{line}:{column}", path, 3, 5) == ["code", "-g", f"{path}:3:5"]
    assert editor.arguments("'my ed' --wait", path, 3) == ["my ed", "--wait", str(path)]


@pytest.mark.parametrize("command", ["", "  ", 'code "open'])
def test_a_command_that_is_none_is_refused(command):
    with pytest.raises(ValueError, match=r"empty|quotation"):
        editor.arguments(command, Path("a.xml"), 1)


def test_the_editor_is_started_with_file_and_line(tmp_path, qtbot):
    store, out, model = Settings(tmp_path / "settings.json"), tmp_path / "out", tmp_path / "a b.xml"
    script = tmp_path / "ed.py"
    script.write_text(f"import sys, pathlib; pathlib.Path({str(out)!r}).write_text('|'.join(sys.argv[1:]))")
    store.put(EDITOR, f"{sys.executable} {script} +{{line}} {{file}}")
    assert editor.open_at(store, model, 7) == "Opened a b.xml at line 7"
    qtbot.waitUntil(lambda: out.exists() and bool(out.read_text()))
    assert out.read_text() == f"+7|{model}"
    store.put(EDITOR, "no-such-editor {file}")
    assert "does not start" in editor.open_at(store, model, 7)


def test_a_message_says_its_place_if_the_file_exists(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("<mujoco/>")
    assert editor.place_in(f"{path}:3:5: <geom> has no size") == (path, 3, 5)
    assert editor.place_in("m.xml:3: <geom> has no size", tmp_path) == (path, 3, 1)
    assert editor.place_in("gone.xml:3:5: <geom> has no size", tmp_path) is None
    assert editor.place_in("no place at all") is None

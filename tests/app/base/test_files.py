"""Files that appear whole or not at all, JSON that anybody wrote, and files opened in an editor at a line."""

import os
import sys
from pathlib import Path

import pytest

from tests.app.conftest import written
from tumble.app.base import editor, files, plain_json
from tumble.app.base.settings import EDITOR, Settings
from tumble.physics.base.files import file_stem


def test_writing_to_a_fifo_never_replaces_it_by_a_file(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDWR)  # so that nobody waits for a reader
    try:
        files.require_writable(pipe)
        with files.text_file(pipe) as file:
            file.write("time,x\n")
        files.write_whole(pipe, b"more")
        assert os.read(end, 100) == b"time,x\nmore"
        assert pipe.is_fifo()
        with pytest.raises(files.FileError, match="a device or a pipe"):
            files.beside(pipe)
    finally:
        os.close(end)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_file_that_is_not_whole_leaves_the_one_before(tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    path = written(tmp_path / "a.txt", "before")
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(files.FileError, match="No space left on device"):
        files.write_whole(path, b"after")
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("letter", ["a", "ü", "机"])
def test_a_name_as_long_as_systems_allow_can_be_written(tmp_path, letter):
    """The hidden name that the file has until it is whole is no longer than its own may be."""
    path = tmp_path / (letter * (250 // len(letter.encode())) + ".csv")
    files.write_whole(path, b"1")
    assert path.read_bytes() == b"1"
    assert list(tmp_path.iterdir()) == [path]


def test_a_text_becomes_a_name_that_every_system_takes():
    stems = {"humanoid": "humanoid", "robot v1.2": "robot v1_2", "../a/b\\c:d": "___a_b_c_d", "机器人": "机器人", "con": "_con",
             "LPT1": "_LPT1", "constant": "constant", "": "_", "x" * 300: "x" * 50}  # fmt: skip
    assert {text: file_stem(text) for text in stems} == stems


WRONG = {"open": "[1,", "deep": "[" * 100_000 + "]" * 100_000, "huge": f'{{"a": [1, {"9" * 400}]}}', "larger": str(2**63),
         "bytes": b"\xff"}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_json_or_too_much_is_a_value_error(what):
    with pytest.raises(ValueError, match=r"\w"):
        plain_json.read(WRONG[what])
    assert plain_json.read(f'{{"a": [{2**63 - 1}, -1.5, null, NaN]}}')["a"][:3] == [2**63 - 1, -1.5, None]


def _installed(*names):
    return lambda name: f"/usr/bin/{name}" if name in names else None


def test_the_users_own_editor_comes_before_those_that_are_found():
    editors = editor.known(_installed("vim", "code", "xterm"), {"VISUAL": "vim"})
    assert editors == ["xterm -e vim +{line} {file}", "code -g {file}:{line}:{column}"]
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
    script = written(tmp_path / "ed.py", f"import sys, pathlib; pathlib.Path({str(out)!r}).write_text('|'.join(sys.argv[1:]))")
    store.put(EDITOR, f"{sys.executable} {script} +{{line}} {{file}}")
    assert editor.open_at(store, model, 7) == "Opened a b.xml at line 7"
    qtbot.waitUntil(lambda: out.exists() and bool(out.read_text()))
    assert out.read_text() == f"+7|{model}"
    store.put(EDITOR, "no-such-editor {file}")
    assert "does not start" in editor.open_at(store, model, 7)


def test_a_message_says_its_place_if_the_file_exists(tmp_path):
    path = written(tmp_path / "m.xml", "<mujoco/>")
    assert editor.place_in(f"{path}:3:5: <geom> has no size") == (path, 3, 5)
    assert editor.place_in("m.xml:3: <geom> has no size", tmp_path) == (path, 3, 1)
    assert editor.place_in("gone.xml:3:5: <geom> has no size", tmp_path) is None
    assert editor.place_in("no place at all") is None

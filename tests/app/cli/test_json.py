"""--json: each command prints one object, which the page of the command line describes, whatever happens."""

from __future__ import annotations

import json
import re
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.app.conftest import MODELS
from tumble.__main__ import COMMANDS, main
from tumble.app.cli.output import plain

PAGE = Path(__file__).parents[3] / "docs" / "command-line.md"
BOX = str(MODELS / "ball.xml")
ALWAYS = {"command", "exit_code"}


def told(line: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The object that a command prints; it must be all that it prints."""
    code = main([*line, "--json"])
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    found: dict[str, Any] = json.loads(said.out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert (found["command"], found["exit_code"]) == (line[0], code)
    return found


def documented() -> dict[str, set[str]]:
    """The names in each command's row of the page."""
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {name: set(re.findall(r"`(\w+)`", text)) for name, text in rows}


def test_the_page_has_a_row_for_every_command() -> None:
    assert list(documented()) == list(COMMANDS)


@pytest.mark.parametrize(
    ("line", "code", "keys"),
    [
        (["simulate", BOX, "--seconds", "0.1", "--record", "a.tumble"], 0, "steps simulated_seconds replay csv warnings"),
        (["simulate", str(MODELS / "blowup.xml"), "--seconds", "1"], 1, "warnings"),
        (["check", BOX, "--seconds", "0.1"], 0, "findings models"),
        (["bench", BOX, "--wall", "0.01"], 0, "us us_low us_high stages"),
        (["bench", BOX, "--pairs"], 0, "us phases types pairs"),
        (["convert", BOX, "flat.xml"], 0, "output bytes differences"),
        (["compare", BOX, str(MODELS / "heap.xml")], 1, "same sizes differences"),
        (["compare", BOX, BOX, "--seconds", "0.1"], 0, "same moments runs_apart_from"),
        (["decompose", "box.stl"], 0, "parts mjcf folder"),
        (["models"], 0, "models"),
        (["schema"], 0, "grammar"),
        (["schema", "a.rng"], 0, "output bytes"),
        (["render", BOX, "-o", "a.png", "--size", "64x48", "--quality", "plain"], 0, "output width height"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_the_object_has_what_its_row_says_and_nothing_else(
    line: list[str], code: int, keys: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [[corners[k] for k in face] for face in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))]
    body = b"".join(struct.pack("<12fH", *(0.0,) * 3, *(x for corner in face for x in corner), 0) for face in faces)
    (tmp_path / "box.stl").write_bytes(bytes(80) + struct.pack("<I", len(faces)) + body)
    found = told(line, capsys)
    assert found["exit_code"] == code
    assert set(keys.split()) <= set(found)
    assert set(found) <= documented()[line[0]] | ALWAYS
    assert all(Path(found[key]).is_file() for key in ("output", "replay") if found.get(key))


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        (["check", str(MODELS / "broken.xml")], 2, {"line": 3, "column": 5, "file": str(MODELS / "broken.xml")}),
        (["check"], 2, {"message": "the following arguments are required: model"}),
        (["bench", BOX, "--wall", "-1"], 2, {"message": "argument --wall: -1 is not above 0"}),
        (["simulate", BOX, "--csv", "-"], 2, {}),
        (["simulate", BOX, "--csv", "no/folder/out.csv"], 3, {}),
        (["render", BOX, "-o", "a.txt"], 2, {"message": "a.txt: the output ends in .mp4, .gif, .png or .npy"}),
        (["models", "--draw"], 2, {}),
        (["convert", BOX, "a.doc"], 2, {}),
        (["compare", BOX, "none.xml"], 2, {}),
        (["decompose", "none.stl"], 2, {}),
        (["schema", "no/folder/a.rng"], 3, {}),
    ],
)
def test_an_error_is_an_object_too_and_says_where(
    line: list[str], code: int, says: dict[str, object], capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(line, capsys)
    assert found["exit_code"] == code
    assert found["error"]["message"]
    assert set(found) == {*ALWAYS, "error"}
    assert found["error"] | says == found["error"]


def test_all_errors_of_a_file_are_told_each_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.xml"
    path.write_text('<mujoco><worldbody>\n<geom size="-1"/>\n <geom typ="box"/></worldbody>\n'
                    '<actuator><motor joint="k"/></actuator></mujoco>')  # fmt: skip
    error = told(["check", str(path)], capsys)["error"]
    assert [(one["file"], one["line"], one["column"]) for one in error["errors"]] == [
        (str(path), 2, 1), (str(path), 3, 2), (str(path), 4, 11)]  # fmt: skip
    assert [one["message"] for one in error["errors"]] == error["message"].splitlines()
    assert (error["line"], error["column"]) == (2, 1)  # of the first


def test_progress_is_on_the_standard_error_and_only_if_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", BOX, "--seconds", "0.1", "--json", "--json-progress"]) == 0
    said = capsys.readouterr()
    assert {json.loads(row)["what"] for row in said.err.splitlines()} == {"Simulating"}
    assert json.loads(said.out)["steps"] > 0
    assert main(["simulate", BOX, "--seconds", "0.1", "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_numbers_that_json_does_not_have_are_null() -> None:
    assert plain({"a": [float("inf"), float("nan"), 1.5], "b": Path("x")}) == {"a": [None, None, 1.5], "b": "x"}
    assert sys.float_info.max == plain(sys.float_info.max)

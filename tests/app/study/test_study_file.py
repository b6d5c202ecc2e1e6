"""Study files are read whole or refused at the line and column of what is wrong, with what is valid."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.study.slope import FRICTION, HEAD, SLID, study
from tumble.app.study.study_file import StudyError, load


def test_a_study_has_what_its_file_says() -> None:
    read = study(HEAD + "seed = 3\n" + FRICTION + "log = true\n" + SLID + '[sweep]\nmethod = "grid"\n[noise]\nposition = 0.1\n')
    assert read.parameters["friction"].every_path == ("geom[slope].friction[0]", "geom[box].friction[0]")
    assert read.parameters["friction"].log
    assert read.measures["slid"].taken == [("change", "xpos[box, x]")]
    assert (read.seed, read.noise.position, read.noise.velocity, read.sweep.method) == (3, 0.1, 0.0, "grid")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (HEAD + "x =\n", "3:4", "Invalid value"),
        (HEAD + "speed = 3\n" + FRICTION, "3:1", "'speed' is no key here; valid are model, seconds"),
        (HEAD.replace("0.4", '"long"') + FRICTION, "2:1", "Expected `float`, got `str`"),
        (HEAD + FRICTION.replace("low = 0.05", "low = 5.0"), "5:1", "low must be less than high: 5 is not less than 1"),
        (HEAD + FRICTION.replace("low = 0.05", "lowest = 0.05"), "5:1", "'lowest' is no key here; valid are path, paths, low"),
        (HEAD + FRICTION.replace("low = 0.05", "low = -1.0\nlog = true"), "6:1", "needs low and high above 0"),
        (HEAD + FRICTION.replace("high = 1.0\n", ""), "3:2", "give low and high, or mean and deviation, or values"),
        (HEAD + "[parameters]\n", "3:2", "varies at least one parameter"),
        (HEAD + FRICTION.replace("friction]", "run]", 1), "3:2", "'run' is no name"),
        (HEAD + FRICTION + '[measures]\nslid = {last = "time"}\n', "8:9", "'last' is no key here; valid are final"),
        (HEAD + FRICTION + '[measures]\nslid = {final = "time", min = "time"}\n', "8:1", "a measure takes one of final, first"),
        (HEAD + FRICTION + '[sweep]\nmethod = "all"\n', "8:1", "'all' is no method; valid are grid, latin-hypercube"),
        (HEAD + FRICTION + "[sweep]\nruns = 0\n", "8:1", "runs must be from 1"),
        (HEAD.replace("0.4", "-1.0") + FRICTION, "2:1", "more than 0 s"),
    ],
)
def test_a_mistake_has_its_place(text: str, place: str, words: str) -> None:
    with pytest.raises(StudyError) as caught:
        study(text)
    assert str(caught.value).startswith(f"slope.toml:{place}: ")
    assert words in str(caught.value)


def test_a_file_that_is_no_text_or_missing_is_said(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be read"):
        load(tmp_path / "none.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(StudyError, match="is not UTF-8"):
        load(tmp_path / "bytes.toml")

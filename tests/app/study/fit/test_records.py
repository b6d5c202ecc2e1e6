"""Measured files: what is read, what a hole is, and what is refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.study.fit.swing import ARM, ARM_STUDY, TRUTH, arm_rows, job, write
from tumble.app.study.fit import records
from tumble.app.study.fit.fit import ModelFit
from tumble.app.study.fit.fit_section import FitColumn, FitSection
from tumble.app.study.fit.pieces import pieces
from tumble.app.study.study_file import StudyError

SECTION = FitSection(signals={"qpos[0]": "q"}, inputs={"ctrl[0]": "u"})


def record(tmp_path: Path, text: str, section: FitSection = SECTION) -> records.MeasuredRecord:
    path = tmp_path / "a.csv"
    path.write_text(text)
    return records.read(path, section)


def test_columns_by_name_with_scale_and_offset(tmp_path: Path) -> None:
    section = FitSection(signals={"qpos[0]": FitColumn("q", scale=0.5, offset=1.0)}, time="ms", time_scale=0.001)
    found = record(tmp_path, "x,ms,q\n9,0,2\n9,10,4\n", section)
    assert np.allclose(found.time, [0, 0.01])
    assert np.allclose(found.signals["qpos[0]"], [2, 3])


def test_values_that_were_not_measured_are_holes(tmp_path: Path) -> None:
    found = record(tmp_path, "t,q,u\n0,1,0\n0.1,,0\n0.2,nan,0\n0.3,4,0\n")
    assert np.isnan(found.signals["qpos[0]"]).tolist() == [False, True, True, False]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t,q\n0,1\n1,2\n", r"a\.csv: there is no column 'u'; there are t, q"),
        ("t,q,u\n0,1,0\n0.1,2,0\n0.1,3,0\n", r"a\.csv:4: the time 0\.1 does not come after 0\.1"),
        ("t,q,u\n0,1,0\n0.2,2,0\n0.1,3,0\n", r"a\.csv:4: the time 0\.1 does not come after 0\.2"),
        ("t,q,u\n0,1,0\nnan,2,0\n0.1,3,0\n", r"a\.csv:3: the time nan does not come after 0"),
        ("t,q,u\n0,one,0\n", r"a\.csv:2: column q: 'one' is not a number"),
        ("t,q,u\n0,1\n", r"a\.csv:2: 2 columns, the first line names 3"),
        ("t,q,u\n0,1,0\n", r"a\.csv: 1 rows of numbers"),
        ("t,q,u\n0,1,0\n0.1,2,\n", r"a\.csv:3: ctrl\[0\] is not a number: an input has to be known"),
        ("t,q,u\n0,1,0\n5,2,0\n10,2,0\n", r"a\.csv: rows are 5 s apart: of times in other units, give fit\.time_scale"),
        ("", r"a\.csv: there is no column"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(StudyError, match=message) as error:
        record(tmp_path, text)
    assert "\n" not in str(error.value)


def test_no_window_spans_a_hole_in_the_times(tmp_path: Path) -> None:
    time = np.concatenate([np.arange(0, 1, 0.01), np.arange(3, 4, 0.01)])
    section = FitSection(signals={"qpos[0]": "q"}, window=0.3)
    found = record(tmp_path, "t,q\n" + "".join(f"{t},0\n" for t in time), section)
    cuts = pieces([found], section)
    assert all(found.time[cut.last] - found.time[cut.first] < 0.31 for cut in cuts)
    assert sum(cut.last - cut.first for cut in cuts) > 150


def test_degrees_are_noticed(tmp_path: Path) -> None:
    rows = arm_rows(np.random.default_rng(0), 2.0)
    rows[:, 1] *= 180 / np.pi
    write(tmp_path / "arm.csv", "t,q,v,target", rows)
    with pytest.raises(StudyError, match=r"qvel\[elbow\] is 0\.017\d* times as fast as qpos\[elbow\] changes"):
        ModelFit(job(tmp_path, ARM_STUDY, ARM.format(**TRUTH), ["arm.csv"]))


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"qpos[elbow]" =', '"qpos[albow]" =', r"qpos has no 'albow'"),
        ('"qpos[elbow]" =', '"xpos[arm, x]" =', r"xpos\[arm, x\]: compared are numbers of qpos, qvel, act, sensordata"),
        ("window = 0.5", "window = -1.0", r"fit\.window: is 0 or more"),
        ("window = 0.5", "windw = 0.5", r"\[fit\]: Object contains unknown field `windw`; the keys of \[fit\] are"),
        ('search = "local"', 'search = "lokal"', r"'lokal': valid are both, global, local"),
        ('"ctrl[servo]" = "target"', '"qvel[0]" = "target"', r"qvel\[0\]: inputs are numbers of ctrl"),
    ],
)
def test_mistakes_of_a_section_are_named(tmp_path: Path, before: str, after: str, message: str) -> None:
    write(tmp_path / "arm.csv", "t,q,v,target", arm_rows(np.random.default_rng(0), 1.0))
    assert before in ARM_STUDY
    with pytest.raises(StudyError, match=message):
        ModelFit(job(tmp_path, ARM_STUDY.replace(before, after), ARM.format(**TRUTH), ["arm.csv"]))


def test_windows_share_no_row() -> None:
    """A row at the end of one window and the beginning of the next would tie their noise together."""
    time = np.arange(30) * 0.01
    cut = pieces([records.MeasuredRecord("a", time, {})], FitSection(signals={"qpos[0]": "q"}, window=0.1))
    assert [(one.first, one.last) for one in cut] == [(0, 10), (11, 21), (22, 29)]


def test_a_pattern_without_files_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"none\*\.csv: there is no such file of measured data"):
        job(tmp_path, ARM_STUDY, ARM.format(**TRUTH), ["none*.csv"])

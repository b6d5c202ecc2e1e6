"""Comparing what two engines did with the same tests, on records written by hand."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.peers import __main__ as peers
from tests.peers.compare import differences, outcomes
from tests.peers.record import FAILED, PASSED, Record, read

STILL = [0.0] * 4


def line(test: str, outcome: str, **more: Any) -> dict[str, Any]:
    return {"test": test, "outcome": outcome, "text": "why" if outcome == FAILED else "", **more}


def environment(states: list[float], nudged: list[float] | None = None, level: float = 0.0) -> dict[str, Any]:
    trace = {"states": [states], "picture": [level] * 3, **({"nudged": [nudged]} if nudged else {})}
    return line("Ant", PASSED, trace=trace)


def test_difference_is_what_passes_with_reference_alone() -> None:
    reference = [line("a", PASSED), line("b", PASSED), line("c", FAILED), line("d", FAILED), line("e", PASSED)]
    here = [line("a", PASSED), line("b", FAILED), line("c", FAILED), line("d", PASSED)]
    assert differences(*outcomes(reference, here)) == {"b": "why", "e": "not run here"}


def test_environment_fails_if_states_differ_from_reference() -> None:
    # 2e-6 is twice the tolerance of comparison.
    theirs, ours = outcomes([environment(STILL, nudged=STILL)], [environment([0.0, 2e-6, 0.0, 0.0])])
    assert theirs["Ant: states"][0] == theirs["Ant: picture"][0] == ours["Ant: picture"][0] == PASSED
    assert ours["Ant: states"] == (FAILED, "states differ by 2.0e-06")


def test_environment_that_rounding_decides_does_not_pass_with_reference() -> None:
    theirs, ours = outcomes([environment(STILL, nudged=[1.0, 0.0, 0.0, 0.0])], [environment([0.5, 0.0, 0.0, 0.0])])
    assert theirs["Ant: states"][0] == FAILED
    assert differences(theirs, ours) == {}


def test_environment_fails_if_picture_shows_something_else() -> None:
    _, ours = outcomes([environment(STILL, nudged=STILL)], [environment(STILL, level=100.0)])
    assert ours["Ant: picture"] == (FAILED, "blocks differ by 100.0 levels")


def test_record_leaves_out_tests_of_process_before(tmp_path: Path) -> None:
    before = Record(tmp_path / "record", "box")
    before.start("box falls")
    before.finish("box falls", PASSED)
    after = Record(tmp_path / "record", "box")
    assert [test for test in ("box falls", "box rests", "ball rests") if after.wanted(test)] == ["box rests"]


def test_hanging_process_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "START", 0.1)
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    since = time.monotonic()
    assert peers.wait(process, tmp_path / "record", patience=0.1) == "hangs: no progress for 0 s"
    assert process.returncode is not None
    assert time.monotonic() - since < 30  # not the minute that the process would take


def test_test_that_ends_its_process_fails_and_next_one_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
import os, sys
from pathlib import Path
from tests.peers.record import PASSED, Record
record = Record(Path(sys.argv[1]), "")
for test in ("crash", "next"):
    if record.wanted(test):
        record.start(test)
        if test == "crash":
            os._exit(3)
        record.finish(test, PASSED)
"""
    monkeypatch.setattr(peers, "command_of", lambda engine, name, path, word, folders: [sys.executable, "-c", code, str(path)])
    lines = peers.run("here", "mjcf", "", [])
    assert {entry["test"]: entry["outcome"] for entry in lines if "outcome" in entry} == {"crash": FAILED, "next": PASSED}


def test_failure_without_reason_and_reason_without_failure_are_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    failed, passed = {"a": (FAILED, "why")}, {"a": (PASSED, "")}
    assert not peers.tell(passed, failed, verbose=False, whole=True)
    monkeypatch.setattr(peers, "PEERS", {"a": "a reason"})
    assert peers.tell(passed, failed, verbose=False, whole=True)
    assert not peers.tell(passed, passed, verbose=False, whole=True)


def test_record_of_no_process_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path / "record") == []

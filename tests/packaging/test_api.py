"""docs/api.md: every function of the reference has its row, and what the row says holds."""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import pytest

import physics

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import api_reference  # noqa: E402
import reference_api  # noqa: E402

FUNCTIONS = api_reference.REFERENCE["functions"]
UNNAMED = re.compile(r"arg\d+")  # of arguments that the reference takes by place alone
HERE = [name for name in FUNCTIONS if hasattr(physics, name)]


def test_the_stored_functions_are_those_that_the_reference_shows():
    assert reference_api.STORED.read_text(encoding="utf-8") == reference_api.text(reference_api.introspected())


def test_the_page_is_what_the_code_says():
    assert api_reference.PAGE.read_text(encoding="utf-8") == api_reference.page(), "run `make docs`"


def test_every_function_is_here_or_has_one_reason_why_not():
    reasons = [name for names in api_reference.REASONS.values() for name in names]
    assert sorted([*HERE, *reasons]) == sorted(FUNCTIONS), "a reason is to be deleted when the function exists"


def test_the_page_has_a_row_for_every_function():
    text = api_reference.PAGE.read_text(encoding="utf-8")
    assert [name for name in FUNCTIONS if f"| `{name}(" not in text] == []


@pytest.mark.parametrize("name", HERE)
def test_a_function_takes_the_arguments_of_the_reference(name: str):
    ours = list(inspect.signature(getattr(physics, name)).parameters.values())
    theirs = FUNCTIONS[name]["arguments"]
    named = [p.name if not UNNAMED.fullmatch(row[0]) else row[0] for p, row in zip(ours, theirs, strict=False)]
    assert named == [row[0] for row in theirs]
    assert all(p.default is not p.empty for p in ours[len(theirs) :]), "more arguments than the reference has need defaults"
    for parameter, row in zip(ours, theirs, strict=False):
        if len(row) == 3:
            assert repr(parameter.default) == row[2]
        if row[1].endswith("| None"):
            assert "None" in str(parameter.annotation), f"{parameter.name} may be None"


def test_every_function_says_what_it_does():
    assert [name for name in HERE if not api_reference.about(getattr(physics, name))] == []

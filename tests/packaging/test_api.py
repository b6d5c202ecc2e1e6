"""docs/api.md: every public name of the reference has its row, and what the row says holds."""

import inspect
import sys
from pathlib import Path

import mujoco as reference
import pytest

from tumble import mujoco

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

import api_reasons  # noqa: E402
import api_reference  # noqa: E402
import reference_api  # noqa: E402

REFERENCE = api_reference.REFERENCE
FUNCTIONS = REFERENCE["functions"]
HERE = [name for name in FUNCTIONS if hasattr(mujoco, name)]


def test_what_is_stored_is_what_the_reference_shows():
    assert reference_api.STORED.read_text(encoding="utf-8") == reference_api.text(reference_api.introspected(reference))


def test_api_page_is_up_to_date():
    assert api_reference.PAGE.read_text(encoding="utf-8") == api_reference.page(), "run `make docs`"


def test_api_check_refuses_stale_and_missing_reasons(monkeypatch: pytest.MonkeyPatch):
    missing, others = api_reference.absent(), api_reference.different()
    with pytest.raises(LookupError, match=r"mj_step: no reason why it is missing"):
        api_reference.check([*missing, "mj_step"], others)
    with pytest.raises(LookupError, match=rf"{missing[0]}: a reason, but it is not missing"):
        api_reference.check(missing[1:], others)
    with pytest.raises(LookupError, match=r"mjPI: no reason why it is different"):
        api_reference.check(missing, others | {"mjPI": "3"})


def test_a_member_a_value_and_a_type_that_are_others_are_seen(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(REFERENCE["enumerations"], "mjtJoint", {"mjJNT_FREE": 0, "mjJNT_BALL": 7})
    monkeypatch.setitem(REFERENCE["constants"], "mjPI", 3)
    monkeypatch.setitem(
        REFERENCE["classes"], "MjOption", {"fields": {"gravity": "float64[4]", "levity": "int"}, "methods": ["lift"]}
    )
    differences = api_reference.different()
    assert {"mjtJoint.mjJNT_BALL", "mjtJoint.mjJNT_HINGE", "mjPI", "MjOption.gravity"} <= set(differences)
    assert differences["MjOption.gravity"] == "float64[4], here float64[3]"
    assert {"MjOption.levity", "MjOption.lift"} <= set(api_reference.absent())


def test_the_page_has_a_row_for_every_name():
    text = api_reference.PAGE.read_text(encoding="utf-8")
    names = [*REFERENCE["enumerations"], *REFERENCE["constants"], *REFERENCE["classes"], *api_reasons.PEERS]
    assert [name for name in FUNCTIONS if f"| `{name}(" not in text] == []
    assert not api_reference.UNNAMED.search(text)
    assert [name for name in names if f"`{name}`" not in text] == []


@pytest.mark.parametrize("name", HERE)
def test_a_function_takes_the_arguments_of_the_reference(name: str):
    ours = list(inspect.signature(getattr(mujoco, name)).parameters.values())
    theirs = FUNCTIONS[name]["arguments"]
    named = [p.name if not api_reference.UNNAMED.fullmatch(row[0]) else row[0] for p, row in zip(ours, theirs, strict=False)]
    assert named == [row[0] for row in theirs]
    assert all(p.default is not p.empty for p in ours[len(theirs) :]), "more arguments than the reference has need defaults"
    for parameter, row in zip(ours, theirs, strict=False):
        if len(row) == 3:
            assert repr(parameter.default) == row[2]
        if row[1].endswith("| None"):
            assert "None" in str(parameter.annotation), f"{parameter.name} may be None"


def test_every_function_says_what_it_does():
    assert [name for name in HERE if not api_reference.about(getattr(mujoco, name))] == []

"""Programs in the documented style of the package mujoco print the same numbers with it and with Tumble.

Those of docs/scripts, and in notebooks/ one for each of the package's five tutorial notebooks, which makes the calls that the
notebook teaches, on models of our own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SCRIPTS = sorted((ROOT / "docs" / "scripts").glob("*.py"))
NOTEBOOKS = sorted(Path(__file__).with_name("notebooks").glob("*_notebook.py"))
RUNNER = str(Path(__file__).with_name("every_script.py"))
# Relative to the largest number of a list. Both engines round otherwise, and a solver stops at its tolerance.
USUAL = 1e-6
OTHERS = {
    "system_identification.found": 1e-5,  # where its own search for the minimum stops
    "system_identification.objective": 1e-5,
    "render_video.pixels": 2 / 651,  # a pixel whose centre lies on an edge is on either side of it
    "render_video.red": 0.05,  # shading is not the same
    "render_video.near": 1e-4,  # depths in the precision of a depth buffer
    "render_video.centre": 1e-4,
    "contact_forces.tangent": 1e-6,  # of 29 N
    # Mean colours of pictures: shading is not the same.
    **dict.fromkeys([f"tutorial_notebook.{k}" for k in ("first", "film", "top", "arms", "contacts", "trace", "bag")], 0.01),
    **dict.fromkeys(("lqr_notebook.pictures", "lqr_notebook.last", "least_squares_notebook.picture"), 0.01),
    **dict.fromkeys(("mjspec_notebook.pictures", "rollout_notebook.tops", "rollout_notebook.hoppers"), 0.01),
}


@pytest.fixture(scope="module")
def printed() -> tuple[dict[str, Any], dict[str, Any]]:
    """What all scripts have printed with the reference and with us, each in a process."""
    environment = {**os.environ, "MUJOCO_GL": "egl"}
    begins = ([sys.executable, RUNNER], [sys.executable, "-m", "tumble", "run", RUNNER])
    started = [
        subprocess.Popen([*begin, *map(str, SCRIPTS + NOTEBOOKS)], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True) for begin in begins
    ]  # fmt: skip
    answers = [process.communicate(timeout=300) for process in started]
    for process, (_, complaint) in zip(started, answers, strict=True):
        assert process.returncode == 0, complaint
    theirs, ours = (json.loads(out) for out, _ in answers)
    assert str(ROOT / "tumble") in ours.pop("engine")
    assert str(ROOT / "tumble") not in theirs.pop("engine")
    return theirs, ours


@pytest.mark.parametrize("script", [path.stem for path in SCRIPTS + NOTEBOOKS])
def test_a_script_prints_the_same_with_both(script: str, printed: tuple[dict[str, Any], dict[str, Any]]) -> None:
    theirs, ours = (said[script] for said in printed)
    assert list(ours) == list(theirs)
    assert len(theirs) > 2
    for key, value in theirs.items():
        _same(ours[key], value, OTHERS.get(f"{script}.{key}", USUAL), key)


def _same(ours: Any, theirs: Any, share: float, key: str) -> None:
    """Numbers within a share of the largest of them, or of 1; all else equal."""
    if isinstance(theirs, list) and theirs and isinstance(theirs[0], list):
        assert len(ours) == len(theirs), key
        for own, their in zip(ours, theirs, strict=True):
            _same(own, their, share, key)
    elif isinstance(theirs, float) or (isinstance(theirs, list) and theirs and isinstance(theirs[0], int | float)):
        largest = max(1.0, *map(abs, theirs)) if isinstance(theirs, list) else max(1.0, abs(theirs))
        assert ours == pytest.approx(theirs, rel=0, abs=share * largest), key
    else:
        assert ours == theirs, key


def test_each_tutorial_notebook_has_its_program() -> None:
    expected = ["least_squares", "lqr", "mjspec", "rollout", "tutorial"]
    assert [path.stem.removesuffix("_notebook") for path in NOTEBOOKS] == expected


def test_scripts_import_only_mujoco_and_are_documented() -> None:
    assert len(SCRIPTS) == 16
    for path in SCRIPTS:
        text = path.read_text(encoding="utf-8")
        imported = set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
        assert "mujoco" in imported
        assert "tumble" not in imported
        assert f"`{path.name}`" in (ROOT / "docs" / "scripts" / "README.md").read_text(encoding="utf-8")

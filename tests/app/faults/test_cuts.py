"""The process ends, or the power is cut, while files are written: `python -m tests.app.faults.cuts` has more moments."""

import random
import subprocess
import sys

import pytest

from tests.app.faults.cuts import cut
from tests.app.faults.written import KINDS
from tumble import ROOT


@pytest.mark.parametrize("kind", [kind if kind == "recovery" else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS])
def test_nothing_is_lost_and_nothing_half_is_opened(kind):
    """In a process of its own, which forks: Qt's threads would not come along."""
    line = [sys.executable, "-m", "tests.app.faults.cuts", "--moments", "12", "--seed", "7", "--kinds", kind]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_was_not_synced_may_be_lost(tmp_path):
    folder, side = tmp_path / "files", tmp_path / "side"
    folder.mkdir()
    side.mkdir()
    (side / "copy").write_bytes(b"whole")
    (side / "old").write_bytes(b"old")
    left = {True: set(), False: set()}
    for seed in range(30):
        for synced, found in left.items():
            path = folder / f"{seed}{synced}"
            path.write_bytes(b"whole")
            inode = path.stat().st_ino
            (side / "log").write_text(f"synced {inode} {side / 'copy'}\n" if synced else f"renamed {inode} {path.name} \n")
            cut(folder, side, random.Random(seed))
            found.add(path.read_bytes())
    assert left[True] == {b"whole"}
    assert {b"", b"whole"} < left[False]

"""`make peers`: tests that packages bring and environments that they register, with the reference and with our namespace.

  python -m tests.peers [bindings mjcf metaworld ...] [-k WORD] [-v] [--packages FOLDER:FOLDER] [--store]

Nothing of them is copied: a test is read where it is installed, and imports our namespace as `mujoco`. Suites whose package is
not installed are named and left out. What passes with the reference and not here has its reason in packaging/api_reasons.py (also
in docs/api.md): the command ends with 1 if one fails without a reason, or passes with one.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.peers.compare import Outcomes, differences, outcomes
from tests.peers.record import FAILED, PASSED, SKIPPED, Record, read
from tests.peers.suites import SUITES, installed

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "packaging" / "peers.json"
sys.path.insert(0, str(ROOT / "packaging"))

from api_reasons import PEERS  # noqa: E402

ENGINES = ("reference", "here")
POLL = 0.5  # seconds
START = 300.0  # seconds that a process may take until its first test


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    parser.add_argument("suites", nargs="*", choices=[*SUITES, []], help="which suites, else all")
    parser.add_argument("-k", metavar="WORD", default="", help="only tests with this in their name")
    parser.add_argument("-v", action="store_true", help="print the whole text of each failure")
    parser.add_argument("--packages", default="", help="folders of packages that are not installed, with colons between them")
    parser.add_argument("--store", action="store_true", help="write the counts that docs/api.md shows")
    options = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)
    folders = [str(Path(folder).resolve()) for folder in options.packages.split(os.pathsep) if folder]
    sys.path += folders
    clean = True
    for name in options.suites or SUITES:
        package = installed(SUITES[name])
        if package is None:
            print(f"{name}: left out: {SUITES[name].distribution} is not installed")  # noqa: T201
            continue
        reference, here = outcomes(*(run(engine, name, options.k, folders) for engine in ENGINES))
        row = count(reference, here)
        print(f"{name} ({SUITES[name].distribution} {package}): {summary(row)}")  # noqa: T201
        clean &= tell(reference, here, options.v, whole=not options.k)
        if options.store and not options.k:
            store(name, {"package": f"{SUITES[name].distribution} {package}", **row})
    return 0 if clean else 1


def store(name: str, row: dict[str, Any]) -> None:
    """Write the counts of a suite into the file that docs/api.md is made from."""
    rows = json.loads(STORED.read_text(encoding="utf-8")) if STORED.is_file() else {}
    rows[name] = row
    STORED.write_text(json.dumps({name: rows[name] for name in SUITES if name in rows}, indent=1) + "\n", encoding="utf-8")


def command_of(engine: str, name: str, path: Path, word: str, folders: list[str]) -> list[str]:
    """The process that runs a suite."""
    return [sys.executable, "-m", "tests.peers.worker", engine, name, str(path), word, *folders]


def run(engine: str, name: str, word: str, folders: list[str]) -> list[dict[str, Any]]:
    """The record of a suite with an engine. A test that ends its process, or takes too long, has failed; the others still run."""
    with tempfile.TemporaryDirectory(prefix="peers") as folder:
        path = Path(folder) / "record"
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "TEST_TMPDIR": folder, **SUITES[name].settings}
        command = command_of(engine, name, path, word, folders)
        while True:
            before = len(read(path))
            with (Path(folder) / "output").open("w+", encoding="utf-8") as output:
                process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output, stderr=output)
                end = wait(process, path, SUITES[name].patience)
                output.seek(0)
                text = output.read()
            lines = read(path)
            if end == "exit 0":
                return lines
            running = lines[-1].get("test") if lines and "outcome" not in lines[-1] else None
            if running is None or len(lines) == before:
                Record(path, "").finish(f"{name}: process", FAILED, f"{text}\n{end}")
                return read(path)
            Record(path, "").finish(running, FAILED, f"{text}\n{end}")


def wait(process: subprocess.Popen[bytes], path: Path, patience: float) -> str:
    """Wait for the end of a process; end it if its record does not grow for a while. Returns how it ended."""
    size, since, limit = 0, time.monotonic(), START
    while process.poll() is None:
        time.sleep(POLL)
        now = path.stat().st_size if path.is_file() else 0
        if now != size:
            size, since, limit = now, time.monotonic(), patience
        elif time.monotonic() - since > limit:
            process.kill()
            process.wait()
            return f"hangs: no progress for {limit:.0f} s"
    return f"exit {process.returncode}"


def count(reference: Outcomes, here: Outcomes) -> dict[str, int]:
    """How many tests there are, and how many pass."""
    tests = {*reference, *here}
    return {
        "tests": len(tests),
        "skipped": sum((here.get(test) or reference[test])[0] == SKIPPED for test in tests),
        **{
            engine: sum(outcome == PASSED for outcome, _ in found.values())
            for engine, found in zip(ENGINES, (reference, here), strict=True)
        },
    }


def summary(row: dict[str, int]) -> str:
    """The counts in words."""
    return f"{row['tests']} tests, {row['skipped']} skipped; pass: {row['reference']} with the reference, {row['here']} here"


def tell(reference: Outcomes, here: Outcomes, verbose: bool, whole: bool) -> bool:
    """Print what differs, with its reason; returns whether reasons and differences are the same."""
    worse = differences(reference, here)
    for test, text in worse.items():
        reason = f"as expected: {PEERS[test]}" if test in PEERS else text.strip().splitlines()[-1][:200]
        print(f"  {test}: {reason}")  # noqa: T201
        if verbose:
            print(text)  # noqa: T201
    both = [test for test, (outcome, _) in reference.items() if outcome == FAILED and test not in worse]
    for test in both:
        text = reference[test][1].strip().splitlines()[-1][:200]
        print(f"  {test}: {here.get(test, ('not run',))[0]}; failed with the reference: {text}")  # noqa: T201
    healed = [test for test in PEERS if here.get(test, ("", ""))[0] == PASSED] if whole else []
    for test in healed:
        print(f"  {test}: passes; its reason in packaging/api_reasons.py is to be deleted")  # noqa: T201
    return not healed and set(worse) <= set(PEERS)


if __name__ == "__main__":
    sys.exit(main())

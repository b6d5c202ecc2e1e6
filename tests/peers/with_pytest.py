"""Suites that are written for pytest."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.peers.record import FAILED, PASSED, SKIPPED, Record


class Recorder:
    """Writes the outcome of each test into a record; a failure of what a test needs is its failure."""

    def __init__(self, record: Record, prefix: str) -> None:
        self._record = record
        self._prefix = prefix
        self._failure = ""
        self._skipped = False

    def name(self, nodeid: str) -> str:
        return f"{self._prefix}.{nodeid.rpartition('/')[2].replace('.py::', '.').replace('::', '.')}"

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if self._record.wanted(self.name(item.nodeid))]

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self._record.finish(f"{self.name(report.nodeid)}: import", FAILED, report.longreprtext)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._failure, self._skipped = "", False
        self._record.start(self.name(nodeid))

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self._failure = report.longreprtext
        self._skipped |= report.skipped

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        outcome = FAILED if self._failure else SKIPPED if self._skipped else PASSED
        self._record.finish(self.name(nodeid), outcome, self._failure)


def run(package: str, record: Record) -> None:
    """Run the tests of a package's folder `tests`."""
    folder = Path(next(iter(import_module(package).__path__))) / "tests"
    options = ["-p", "no:cacheprovider", "-p", "no:randomly", "-c", "/dev/null", "--import-mode=importlib"]
    pytest.main([*options, f"--rootdir={folder}", str(folder)], plugins=[Recorder(record, package)])

"""What the tests of a suite have done so far: a file that outlives the process which runs them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PASSED, SKIPPED, FAILED = "passed", "skipped", "failed"


class Record:
    """What a suite's tests have done so far, in a file."""

    def __init__(self, path: Path, word: str) -> None:
        self._path = path
        self._word = word
        self._known = {line.get("test", line.get("module")) for line in read(path)}

    def wanted(self, test: str) -> bool:
        """Whether a test is still to run."""
        return self._word in test and test not in self._known

    def open(self, module: str) -> bool:
        """Whether a module may have tests that are still to run."""
        return module not in self._known

    def close(self, module: str) -> None:
        self._write({"module": module})

    def start(self, test: str) -> None:
        self._write({"test": test})

    def finish(self, test: str, outcome: str, text: str = "", trace: Any = None) -> None:
        """Write an outcome. text: a traceback. trace: numbers that both engines must agree on."""
        self._write({"test": test, "outcome": outcome, "text": text[-6000:], "trace": trace})

    def _write(self, line: dict[str, Any]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def read(path: Path) -> list[dict[str, Any]]:
    """The lines of a record; none of a file that is missing."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []

"""One suite with one engine, in a process of its own.

  python -m tests.peers.worker ENGINE SUITE RECORD WORD [FOLDER ...]

ENGINE is `reference` or `here`. RECORD is a file of JSON lines, appended to: the name of a test before it starts, and its outcome
after it. Tests that the file has already are left out, so that a process which a test has ended can be replaced by another.
"""

from __future__ import annotations

import os
import sys
import traceback
import unittest
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.peers import environments, with_pytest
from tests.peers.record import FAILED, PASSED, SKIPPED, Record
from tests.peers.suites import SUITES, WHEEL, modules


class Result(unittest.TestResult):
    """Writes each test's outcome into the record. A part of a test counts with its test."""

    def __init__(self, module: str, record: Record) -> None:
        super().__init__()
        self._module = module
        self._record = record
        self._failure = ""
        self._skipped = False

    def name(self, test: unittest.TestCase) -> str:
        return f"{self._module}.{type(test).__qualname__}.{test._testMethodName}"

    def startTest(self, test: unittest.TestCase) -> None:
        super().startTest(test)
        self._failure, self._skipped = "", False
        self._record.start(self.name(test))

    def stopTest(self, test: unittest.TestCase) -> None:
        super().stopTest(test)
        outcome = FAILED if self._failure else SKIPPED if self._skipped else PASSED
        self._record.finish(self.name(test), outcome, self._failure)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        super().addError(test, err)
        self._fail(test, self.errors[-1][1])

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        super().addFailure(test, err)
        self._fail(test, self.failures[-1][1])

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._failure = (self.failures + self.errors)[-1][1]

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        super().addSkip(test, reason)
        self._skipped = True

    def addUnexpectedSuccess(self, test: unittest.TestCase) -> None:
        super().addUnexpectedSuccess(test)
        self._failure = "passes, and is expected to fail"

    def _fail(self, test: Any, text: str) -> None:
        self._failure = text
        if not isinstance(test, unittest.TestCase):  # what a class or module sets up
            self._record.finish(f"{self._module}: {test.id()}", FAILED, text)


def choose(engine: str) -> None:
    """Let `import mujoco` give an engine, with what packages add to its folder (mujoco.mjx)."""
    wheel = find_spec("mujoco")
    if wheel is None or wheel.origin is None:
        raise SystemExit("the package mujoco is not installed: make .venv/ready-dev")
    if engine == "here":
        from tumble.mujoco import stand_in

        stand_in.install()
    mujoco = import_module("mujoco")
    if engine == "here":  # resources are found where the wheel has them; its modules are not
        file = Path(wheel.origin)
        mujoco.__spec__ = spec_from_loader("mujoco", SourceFileLoader("mujoco", str(file)), is_package=True)
    else:
        mujoco.__path__ += [str(folder) for entry in sys.path if (folder := Path(entry) / "mujoco").is_dir()]


def load(name: str, path: Path) -> ModuleType:
    """A test module, under the name that other modules import it by."""
    named = f"peer_{name}" if name in WHEEL else name
    spec = spec_from_file_location(named, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[named] = module
    spec.loader.exec_module(module)
    return module


def run_modules(found: list[tuple[str, Path]], record: Record) -> None:
    """Run the tests of modules, one after the other. A module that cannot be imported is one failed test."""
    for module, path in found:
        if not record.open(module):
            continue
        try:
            suite = unittest.defaultTestLoader.loadTestsFromModule(load(module, path))
        except unittest.SkipTest as skip:
            record.finish(f"{module}: import", SKIPPED, str(skip))
        except Exception:  # noqa: BLE001  # the other modules run
            record.finish(f"{module}: import", FAILED, traceback.format_exc())
        else:
            result = Result(module, record)
            unittest.TestSuite(test for test in each(suite) if record.wanted(result.name(test))).run(result)
        record.close(module)


def each(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    """The tests of a suite and of those within it."""
    found: list[unittest.TestCase] = []
    for test in suite:
        found += each(test) if isinstance(test, unittest.TestSuite) else [test]
    return found


def main() -> None:
    engine, name, path, word, *folders = sys.argv[1:]
    sys.path += folders
    os.environ.setdefault("MUJOCO_GL", "egl")  # tests of pictures run only where it is said how
    record = Record(Path(path), word)
    wheel = list(modules(name)) if name in WHEEL else []  # found before `mujoco` is replaced
    choose(engine)
    from absl import flags

    flags.FLAGS(["peers"])
    if SUITES[name].runner == "environments":
        environments.run(name, engine, record)
    elif SUITES[name].runner == "pytest":
        with_pytest.run(SUITES[name].package, record)
    else:
        run_modules(wheel or list(modules(name)), record)


if __name__ == "__main__":
    main()

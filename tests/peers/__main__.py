"""`make peers`: the reference's own tests, from its installed wheel, against our namespace.

  python -m tests.peers [bindings rollout ...] [-k WORD] [-v]

Nothing of them is copied: a module is read where it is installed, and imports our namespace as `mujoco`. Files that it wants
beside itself are those of the wheel. Those that do not pass have their reasons in packaging/api_reasons.py, which docs/api.md
tells: it ends with 1 if one fails without a reason, or passes with one.
"""

import argparse
import contextlib
import io
import os
import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location, spec_from_loader
from pathlib import Path

from tumble.mujoco import stand_in

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))

from api_reasons import PEERS

MODULES = ("bindings", "rollout", "specs", "renderer", "render", "minimize", "msh2obj", "viewer", "memory_leak")


def wheel() -> Path:
    """The folder of the reference's package."""
    spec = find_spec("mujoco")
    if spec is None or spec.origin is None:
        raise SystemExit("the package mujoco is not installed: make .venv/ready-dev")
    return Path(spec.origin).parent


def load(folder: Path, name: str) -> unittest.TestSuite:
    """The tests of a module of the wheel."""
    spec = spec_from_file_location(f"peer_{name}", folder / f"{name}_test.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return unittest.defaultTestLoader.loadTestsFromModule(module)


def _lend_files(folder: Path) -> None:
    """Let resources of the package `mujoco` be found where the wheel has them; its modules are not."""
    import mujoco

    mujoco.__spec__ = spec_from_loader("mujoco", SourceFileLoader("mujoco", str(folder / "__init__.py")), is_package=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.peers", description=__doc__)
    parser.add_argument("modules", nargs="*", choices=[*MODULES, []], help="which modules, without _test.py; else all")
    parser.add_argument("-k", metavar="WORD", help="only tests with this in their name")
    parser.add_argument("-v", action="store_true", help="print what each that fails says")
    options = parser.parse_args()
    folder = wheel()
    os.environ.setdefault("MUJOCO_GL", "egl")  # tests of pictures run only where it is said how
    stand_in.install()
    _lend_files(folder)
    from absl import flags

    flags.FLAGS(["peers"])
    clean = True
    for name in options.modules or MODULES:
        try:
            suite = load(folder, name)
        except Exception as error:  # noqa: BLE001  # a module that cannot be imported has no tests; the others run
            print(f"{name}: does not import: {type(error).__name__}: {error}")  # noqa: T201
            clean = False
            continue
        clean &= _run(name, suite, options.k, options.v)
    return 0 if clean else 1


def _each(suite: unittest.TestSuite) -> list[unittest.TestCase]:
    found: list[unittest.TestCase] = []
    for test in suite:
        found += _each(test) if isinstance(test, unittest.TestSuite) else [test]
    return found


def _run(name: str, suite: unittest.TestSuite, word: str | None, verbose: bool) -> bool:
    tests = [test for test in _each(suite) if word is None or word in test.id()]
    result = unittest.TestResult()
    with contextlib.redirect_stdout(io.StringIO()):
        for test in tests:
            test(result)
    # A part of a test is counted with its test.
    bad = {_name(getattr(test, "test_case", test)): text for test, text in [*result.failures, *result.errors]}
    print(f"{name}: {len(tests) - len(bad) - len(result.skipped)} of {len(tests)} pass, {len(result.skipped)} skipped")  # noqa: T201
    for test, text in bad.items():
        why = f"as expected: {PEERS[test]}" if test in PEERS else text.strip().splitlines()[-1][:200]
        print(f"  {test}: {why}")  # noqa: T201
        if verbose:
            print(text)  # noqa: T201
    healed = [test for test in map(_name, tests) if test in PEERS and test not in bad]
    for test in healed:
        print(f"  {test}: passes; its reason in packaging/api_reasons.py is to be deleted")  # noqa: T201
    return not healed and set(bad) <= set(PEERS)


def _name(test: unittest.TestCase) -> str:
    return test.id().removeprefix("peer_")


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.machines aarch64|windows`: the wheel on another machine, beside this one.

Needs Debian's qemu-user-static, or wine64, xvfb and binutils; all else is fetched into ~/.cache/tumble-machines.
`--wheel FILE`: this wheel, instead of one of the working tree. Arguments behind `--` are for that machine's Python, run in
this folder, in place of the comparison: `python -m tests.machines windows -- -m pytest -p no:xvfb tests/physics`.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.machines.aarch64 import Aarch64
from tests.machines.compare import compare
from tests.machines.machine import ROOT, Machine, MachineError, pip
from tests.machines.windows import Windows

MACHINES: dict[str, type[Machine]] = {kind.name: kind for kind in (Aarch64, Windows)}
TRIAL = Path(__file__).with_name("trial.py")
MODELS = ROOT / "resources" / "models"
FAILED = 1


def main() -> int:
    own, _, rest = "\0".join(sys.argv[1:]).partition("\0--\0")
    parser = argparse.ArgumentParser(prog="python -m tests.machines", description=__doc__.partition("\n")[0])
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("--wheel", type=Path, help="the program; one of the working tree is built if there is none")
    options = parser.parse_args(own.split("\0"))
    machine = MACHINES[options.machine]()
    with machine.alone():
        try:
            machine.prepare()
            machine.install_program(options.wheel or build_wheel(machine.folder / "wheel"))
        except MachineError as error:
            sys.stderr.write(f"{error}\n")
            return FAILED
        return machine.run(rest.split("\0"), ROOT) if rest else try_on(machine)


def build_wheel(folder: Path) -> Path:
    """The wheel of the working tree."""
    for kept in (folder, ROOT / "build" / "lib"):  # a module that is no more would be packed from there
        shutil.rmtree(kept, ignore_errors=True)
    if (failed := pip("wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)).returncode:
        raise MachineError(failed.stderr)
    return next(folder.glob("*.whl"))


def try_on(machine: Machine) -> int:
    """Run the trial here and there, and print how they differ."""
    here, there = machine.folder / "here", machine.folder / "there"
    for folder in (here, there):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    subprocess.run([sys.executable, TRIAL, MODELS, here], env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)
    if code := machine.run([machine.path(path) for path in (TRIAL, MODELS, there, here)]):
        sys.stderr.write(f"the trial ended with {code}\n")
        return FAILED
    table, wrong = compare(here / "numbers.npz", there / "numbers.npz")
    sys.stdout.write(f"{table}\n")
    for line in wrong:
        sys.stderr.write(f"{line}\n")
    return FAILED if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

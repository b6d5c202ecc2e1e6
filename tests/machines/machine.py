"""A machine that is not here: a folder with its Python, the packages that the program needs, and the program, from its wheel."""

import fcntl
import os
import shutil
import subprocess
import sys
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Outside of the working tree: wine's drive Z: is a link to /, and setuptools, which looks for packages in all folders of the
# tree, would walk through the whole system.
BUILD = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tumble-machines"
# Not there: what no library holds cannot be compiled, and the trial ends.
COMPILER = ("numba", "llvmlite")
ZIG = "ziglang==0.17.1"


class MachineError(Exception):
    """What stands in the way of a machine."""


class Machine(ABC):
    """One kind of machine; `prepare` makes it, once, and `run` runs its Python."""

    name: str
    wheel_tags: tuple[str, ...]  # platforms whose wheels run there
    unneeded: tuple[str, ...] = COMPILER

    def __init__(self) -> None:
        self.folder = BUILD / self.name
        self.site = self.folder / "site"
        self.program = self.folder / "program"

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until nobody else uses this machine: its files are replaced while it is prepared."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def prepare(self) -> None:
        """Fetch and unpack what is not there yet."""
        ready = self.folder / "ready"
        if not ready.exists():
            self.make_python()
            self.install_packages()
            ready.touch()

    @abstractmethod
    def make_python(self) -> None:
        """Unpack its Python and the libraries of its system."""

    @abstractmethod
    def python_version(self) -> str:
        """Its Python, as 3.11."""

    @abstractmethod
    def site_packages(self) -> Path:
        """The folder in which its Python finds packages without being told."""

    @abstractmethod
    def command(self) -> list[str]:
        """The command that starts its Python."""

    def environment(self) -> dict[str, str]:
        """The environment of its programs."""
        own = {"PYTHONDONTWRITEBYTECODE": "1", "TUMBLE_CACHE": self.path(self.folder / "cache")}
        return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | own

    def path(self, path: Path) -> str:
        """A file of ours by the name that it has there."""
        return str(path)

    def install_packages(self) -> None:
        """Install what the program needs, and of what its tests need all that has wheels for this machine."""
        wheels = self.folder / "wheels"
        for name in ("requirements.txt", "requirements-dev.txt"):
            for line in (ROOT / name).read_text().splitlines():
                package = line.partition("#")[0].strip()
                if not package or package.startswith(self.unneeded) or self.fetch_wheel(package, wheels):
                    continue
                if name == "requirements.txt":
                    self.build_package(package)
        for wheel in wheels.glob("*.whl"):
            unpack(wheel, self.site)
        self.site_packages().mkdir(parents=True, exist_ok=True)
        found = f"{self.path(self.program)}\n{self.path(self.site)}\n"  # by children too, whatever their environment
        (self.site_packages() / "machine.pth").write_text(found)

    def fetch_wheel(self, package: str, folder: Path) -> bool:
        """Whether there was a wheel of a package for this machine; it is now in the folder."""
        platforms = [option for tag in self.wheel_tags for option in ("--platform", tag)]
        done = pip(
            "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", folder, *platforms,
            "--python-version", self.python_version(), "--implementation", "cp", package,
        )  # fmt: skip
        if done.returncode and "No matching distribution" not in done.stderr:
            raise MachineError(done.stderr)
        return not done.returncode

    def build_package(self, package: str) -> None:
        """Build a package that has no wheel for this machine. Raises MachineError if it is not known how."""
        raise MachineError(f"{package} has no wheel for {self.name}")

    def install_program(self, wheel: Path) -> None:
        """Unpack the program."""
        for folder in (self.program, self.folder / "cache"):
            shutil.rmtree(folder, ignore_errors=True)
        unpack(wheel, self.program)

    def run(self, arguments: Sequence[str], folder: Path | None = None) -> int:
        """Run its Python; its exit code. What it prints comes here through a pipe: wine's C library knows no other output."""
        line = [*self.command(), *arguments]
        process = subprocess.Popen(
            line, cwd=folder, env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.close()
        while part := os.read(process.stdout.fileno(), 4096):
            sys.stdout.buffer.write(part)
            sys.stdout.buffer.flush()
        return process.wait()


def unpack(wheel: Path, folder: Path) -> None:
    """Unpack a wheel."""
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)


def pip(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run pip."""
    line = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    return subprocess.run(line, capture_output=True, text=True, check=False)


def zig(*arguments: str | Path) -> None:
    """Run zig, the compiler for other machines. Raises MachineError with what it says."""
    folder = BUILD / "zig"
    if not folder.exists() and (failed := pip("install", "--quiet", "--target", folder, ZIG)).returncode:
        raise MachineError(failed.stderr)
    environment = os.environ | {"PYTHONPATH": str(folder)}
    line = [sys.executable, "-m", "ziglang", *arguments]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise MachineError(done.stderr)

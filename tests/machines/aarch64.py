"""64-bit ARM with Linux: Debian's packages for it, run by qemu-user-static.

apt fetches them into folders of its own: the system knows nothing of the other architecture.
"""

import shutil
import subprocess
import tarfile
from pathlib import Path

from tests.machines.machine import Machine, MachineError, pip, zig

EMULATOR = "qemu-aarch64-static"
PACKAGES = ("python3", "libpython3-dev", "libegl1", "libgl1", "libgl1-mesa-dri", "libgomp1")
# Packages without a wheel: for each module the source file that it is compiled from, and that finds OpenGL when it runs.
SOURCES = {
    "moderngl": {"moderngl/mgl": "src/moderngl.cpp"},
    "glcontext": {"glcontext/egl": "glcontext/egl.cpp"},
}


class Aarch64(Machine):
    """Linux on 64-bit ARM."""

    name = "aarch64"
    wheel_tags = ("manylinux2014_aarch64", *(f"manylinux_2_{minor}_aarch64" for minor in range(17, 37)))
    unneeded = (*Machine.unneeded, "PyQt6")  # its wheels want a newer glibc; the trial opens no window

    @property
    def _tree(self) -> Path:
        return self.folder / "tree"

    def make_python(self) -> None:
        """Debian's packages, with all that they depend on."""
        if shutil.which(EMULATOR) is None:
            raise MachineError(f"{EMULATOR} is missing: apt-get install qemu-user-static")
        apt = self.folder / "apt"
        for part in ("state/lists/partial", "cache/archives/partial"):
            (apt / part).mkdir(parents=True, exist_ok=True)
        (apt / "status").touch()
        settings = (
            "APT::Architecture=arm64", "APT::Architectures=arm64", "APT::Install-Recommends=0", "APT::Sandbox::User=root",
            "Acquire::Languages=none", "Debug::NoLocking=1", f"Dir::State={apt}/state", f"Dir::State::status={apt}/status",
            f"Dir::Cache={apt}/cache",
        )  # fmt: skip
        line = ["apt-get", "-qq", *(f"-o{setting}" for setting in settings)]
        subprocess.run([*line, "update"], check=True)
        subprocess.run([*line, "-y", "--download-only", "install", *PACKAGES], check=True)
        for package in sorted(apt.glob("cache/archives/*.deb")):
            subprocess.run(["dpkg-deb", "-x", package, self._tree], check=True)
        # A start of its own for each program that this Python starts: the system runs only ours.
        start = self.folder / "python"
        start.write_text(f'#!/bin/sh\nexec {EMULATOR} -L {self._tree} -0 "$0" {self._python} "$@"\n')
        start.chmod(0o755)

    @property
    def _python(self) -> Path:
        return next(self._tree.glob("usr/bin/python3.*[0-9]"))

    def python_version(self) -> str:
        """As Debian has it."""
        return self._python.name.removeprefix("python")

    def site_packages(self) -> Path:
        """As Debian has it."""
        return self._tree / "usr/lib/python3/dist-packages"

    def command(self) -> list[str]:
        """The emulator with Python."""
        return [str(self.folder / "python")]

    def environment(self) -> dict[str, str]:
        """With Python's library, and Mesa's drawing by the processor."""
        drivers = self._tree / "usr/lib/aarch64-linux-gnu/dri"
        own = {"PYTHONHOME": str(self._tree / "usr"), "LIBGL_DRIVERS_PATH": str(drivers), "LIBGL_ALWAYS_SOFTWARE": "1"}
        return super().environment() | own

    def build_package(self, package: str) -> None:
        """Compile the extensions of a package from its source."""
        name = package.partition("==")[0]
        if name not in SOURCES:
            super().build_package(package)
        folder = self.folder / "source"
        failed = pip("download", "--quiet", "--no-deps", "--no-binary=:all:", "--dest", folder, package)
        if failed.returncode:
            raise MachineError(failed.stderr)
        with tarfile.open(next(folder.glob(f"{name}-*.tar.gz"))) as file:
            file.extractall(folder, filter="data")
        unpacked = next(path for path in folder.glob(f"{name}-*") if path.is_dir())
        headers = f"usr/include/python{self.python_version()}"
        for module, source in SOURCES[name].items():
            (self.site / module).parent.mkdir(parents=True, exist_ok=True)
            zig(
                "c++", "-target", "aarch64-linux-gnu.2.31", "-shared", "-fPIC", "-O2", "-w", "-fpermissive",
                f"-I{self._tree / headers}", "-idirafter", self._tree / "usr/include",
                "-o", self.site / f"{module}.so", unpacked / source,
            )  # fmt: skip
        for part in (*unpacked.glob("*.py"), *(unpacked / name).glob("*.py")):
            if part.name != "setup.py":
                shutil.copy(part, self.site / part.relative_to(unpacked))

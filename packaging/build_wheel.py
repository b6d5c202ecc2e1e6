"""Builds the wheel, and names it by the glibc that its kernels need: dist/tumble-VERSION-py3-none-manylinux_2_x_x86_64.whl.

    python packaging/build_wheel.py

The kernels are the only compiled part, and lie in it packed, so that tools which look for shared libraries see none: what
they need is read here. Without kernels for Linux the name stays that of the platform on which the wheel was built.
"""

from __future__ import annotations

import lzma
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
KERNELS = ROOT / "physics" / "kernel" / "built"
DIST = ROOT / "dist"
VERSION_NEED = re.compile(r"GLIBC_2\.(\d+)")
OLDEST = 17  # the first that wheels know by this kind of name


def glibc_needed(library: Path) -> int:
    """The minor version of glibc 2 that a packed library asks for."""
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "library.so"
        plain.write_bytes(lzma.decompress(library.read_bytes()))
        said = subprocess.run(["objdump", "-T", plain], check=True, capture_output=True, text=True).stdout
    return max([OLDEST, *(int(minor) for minor in VERSION_NEED.findall(said))])


def main() -> int:
    """Build the wheel; pip's code if it cannot."""
    for old in DIST.glob("tumble-*.whl"):
        old.unlink()
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)  # a module that is no more would be packed from there
    quietly = ("--quiet", "--disable-pip-version-check")
    line = [sys.executable, "-m", "pip", *quietly, "wheel", "--no-deps", "--wheel-dir", DIST, ROOT]
    if code := subprocess.run(line, check=False).returncode:
        return code
    made = next(DIST.glob("tumble-*.whl"))
    libraries = sorted(KERNELS.glob("linux-*.so.xz"))
    if libraries and made.stem.endswith("linux_x86_64"):
        tag = f"manylinux_2_{max(map(glibc_needed, libraries))}_x86_64"
        line = [sys.executable, "-m", "wheel", "tags", "--remove", "--platform-tag", tag, made]
        subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
        made = next(DIST.glob("tumble-*.whl"))
    sys.stdout.write(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.1f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Makes the Debian package of the frozen program: dist/tumble becomes dist/tumble_VERSION_ARCHITECTURE.deb.

    python packaging/build_deb.py

The program lies in /usr/lib/tumble. What it needs of the system is worked out from its files.
"""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = ROOT / "packaging"
STAGE = ROOT / "build" / "deb"
FOLDER = ROOT / "dist" / "tumble"
# Opened by name at run time, so that no file says it needs them.
OPENED_LATER = ("libgl1", "libegl1", "libfontconfig1", "libdbus-1-3")
# Needed only where the desktop speaks Wayland, which then has the libraries; elsewhere Qt passes these plugins over.
OPTIONAL = ("wayland", "libqt6wl")
RECOMMENDED = "libgl1-mesa-dri, fonts-dejavu-core | fonts-noto-core"

CONTROL = """\
Package: tumble
Version: {version}
Architecture: {architecture}
Maintainer: The Tumble developers
Installed-Size: {size}
Depends: {depends}
Recommends: {recommends}
Section: science
Priority: optional
Description: interactive simulator of MJCF models
 Tumble opens a model in MuJoCo's format, shows it in a window and lets it
 move: pull at bodies, step back in time, look inside contacts, solvers and
 islands while they work, and make videos of it. Its commands render, simulate,
 check, convert and compare models without a window.
"""


def output_of(*line: object, where: Path = ROOT) -> str:
    """What a program prints. Raises CalledProcessError if it fails."""
    return subprocess.run([str(part) for part in line], cwd=where, check=True, capture_output=True, text=True).stdout


def is_elf(path: Path) -> bool:
    """Whether a file is a program or a shared library."""
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def place(source: Path, target: str, tree: Path) -> None:
    """Put a file of ours into the tree."""
    made = tree / target
    made.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, made)


def packed(source: Path, target: str, tree: Path) -> None:
    """Put a text into the tree, packed: the same bytes from the same text."""
    made = tree / target
    made.parent.mkdir(parents=True, exist_ok=True)
    made.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))


def fill(tree: Path) -> None:
    """The files of the package."""
    shutil.copytree(FOLDER, tree / "usr/lib/tumble", symlinks=True)
    (tree / "usr/bin").mkdir()
    (tree / "usr/bin/tumble").symlink_to("../lib/tumble/tumble")
    place(HERE / "tumble.desktop", "usr/share/applications/tumble.desktop", tree)
    place(HERE / "tumble-mime.xml", "usr/share/mime/packages/tumble.xml", tree)
    place(ROOT / "resources/icons/tumble.svg", "usr/share/icons/hicolor/scalable/apps/tumble.svg", tree)
    icons = STAGE / "icons"
    subprocess.run([sys.executable, HERE / "icons.py", icons], check=True)
    for picture in icons.glob("*.png"):
        place(picture, f"usr/share/icons/hicolor/{picture.stem}x{picture.stem}/apps/tumble.png", tree)
    place(HERE / "copyright", "usr/share/doc/tumble/copyright", tree)
    packed(ROOT / "CHANGELOG.md", "usr/share/doc/tumble/changelog.gz", tree)
    page = STAGE / "tumble.1"
    subprocess.run([sys.executable, HERE / "man_page.py", page], check=True)
    packed(page, "usr/share/man/man1/tumble.1.gz", tree)
    for path in tree.rglob("*"):
        if not path.is_symlink():
            started = (path.is_file() and path.parent == tree / "usr/lib/tumble") or path.name == "ffmpeg"
            path.chmod(0o755 if path.is_dir() or started else 0o644)


def dependencies(tree: Path) -> list[str]:
    """The packages of the system that the files need. Raises LookupError if this computer does not have one of them."""
    files = [path for path in tree.rglob("*") if path.is_file() and not path.is_symlink() and is_elf(path)]
    inside = {path.name for path in files}
    needed: set[str] = set()
    glibc = 0
    for path in files:
        if not any(part in path.as_posix().lower() for part in OPTIONAL):
            said = output_of("objdump", "-p", path)
            needed |= set(re.findall(r"^  NEEDED +(\S+)", said, re.MULTILINE)) - inside
            glibc = max([glibc, *map(int, re.findall(r" GLIBC_2\.(\d+)$", said, re.MULTILINE))])
    known = dict(re.findall(r"^\s+(\S+) \(libc6,(?:x86-64|AArch64)[^)]*\) => (\S+)$", output_of("ldconfig", "-p"), re.MULTILINE))
    if missing := sorted(needed - set(known)):
        raise LookupError(f"these libraries are needed, and no installed package has them: {', '.join(missing)}")
    packages = {package_of(Path(known[name])) for name in needed} | set(OPENED_LATER)
    return sorted({f"libc6 (>= 2.{glibc})", *(packages - {"libc6"})})


def package_of(library: Path) -> str:
    """The Debian package that a library of the system belongs to; by its older name where it was renamed, which both offer."""
    for place in (library, library.resolve(), Path("/usr") / library.relative_to("/")):
        said = subprocess.run(["dpkg", "-S", place], capture_output=True, text=True, check=False)
        if said.returncode == 0:
            return said.stdout.split(":")[0].removesuffix("t64")
    raise LookupError(f"{library} belongs to no package")


def describe(tree: Path, version: str, architecture: str) -> None:
    """The package's own files: control, md5sums."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(-(-path.stat().st_size // 1024) for path in files) + sum(path.is_dir() for path in tree.rglob("*"))
    control = CONTROL.format(
        version=version, architecture=architecture, size=size, depends=", ".join(dependencies(tree)), recommends=RECOMMENDED
    )
    sums = [f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(tree)}\n" for path in files]
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/control").write_text(control)
    (tree / "DEBIAN/md5sums").write_text("".join(sums))
    for path in (tree, tree / "DEBIAN"):
        path.chmod(0o755)


def main() -> int:
    """Make the package; 1 where something is missing."""
    if not (FOLDER / "tumble").is_file():
        sys.stderr.write("dist/tumble is not there: run `pyinstaller packaging/tumble.spec` first\n")
        return 1
    os.umask(0o022)
    shutil.rmtree(STAGE, ignore_errors=True)
    tree = STAGE / "tree"
    tree.mkdir(parents=True)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    architecture = output_of("dpkg", "--print-architecture").strip()
    fill(tree)
    try:
        describe(tree, version, architecture)
    except LookupError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    made = ROOT / "dist" / f"tumble_{version}_{architecture}.deb"
    output_of("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree, made)
    sys.stdout.write(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1e6:.0f} MB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

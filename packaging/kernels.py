"""`python packaging/kernels.py`: build the libraries of all kernels; with --check, say whether those there fit the sources.

Compiles on all cores what has changed since they were last built here (object files are kept in build/kernels), links it into a
shared library for each target, whatever this computer is, and packs them with their list into physics/kernel/built. The same
sources give the same bytes. The linker is zig's, which brings what each system's own one needs: of PyPI's package `ziglang`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["TUMBLE_CACHE"] = str(ROOT / "build" / "kernels")
os.environ["TUMBLE_KERNELS"] = "compile"

from tumble.physics.kernel import cache, library  # noqa: E402
from tumble.physics.kernel.function import Compiled, symbol  # noqa: E402
from tumble.physics.kernel.prepare import everything  # noqa: E402
from tumble.physics.kernel.processes import compile_beside  # noqa: E402
from tumble.physics.kernel.target import TARGETS, Target  # noqa: E402

# What zig calls the targets. Linux: with the names of glibc 2.17 of 2012, which every distribution of today has.
ZIG = {
    "linux-x86-64-v3": "x86_64-linux-gnu.2.17",
    "linux-x86-64": "x86_64-linux-gnu.2.17",
    "linux-aarch64": "aarch64-linux-gnu.2.17",
    "macos-arm64": "aarch64-macos.11.0",
    "macos-x86-64": "x86_64-macos.11.0",
    "windows-x86-64": "x86_64-windows-gnu",
}
OPTIONS = {
    ".so": ["-nostdlib", "-lm", "-lc", "-Wl,--build-id=none,-z,noexecstack,-z,defs"],
    ".dylib": ["-Wl,-install_name,@rpath/kernels.dylib"],
    ".dll": [],
}
PACKING = {"format": lzma.FORMAT_XZ, "preset": 9 | lzma.PRESET_EXTREME}
FAILED = 1
UNTIMED = 1.0  # s: of what was compiled by a run whose list was not kept; the next time it is compiled tells better


def main() -> int:
    parser = argparse.ArgumentParser(prog="make kernels", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="build nothing; end with 1 where it does not fit the sources")
    if parser.parse_args().check:
        return check()
    parts = everything()
    seconds = {key: entry.seconds for key, entry in library.contents().entries.items()}
    seconds |= compile_missing(parts, seconds)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        libraries = list(pool.map(lambda target: link(parts, target), TARGETS))
        packed = list(pool.map(lambda content: lzma.compress(content, **PACKING), libraries))
    library.FOLDER.mkdir(exist_ok=True)
    for target, content, small in zip(TARGETS, libraries, packed, strict=True):
        path_of(target).write_bytes(small)
        sys.stdout.write(f"{target.name}: {len(content) / 1e6:.2f} MB, packed {len(small) / 1e6:.2f} MB\n")
    digests = {target.name: hashlib.sha256(content).hexdigest() for target, content in zip(TARGETS, libraries, strict=True)}
    entries = {part.key: [part.digest, seconds.get(part.key, UNTIMED)] for part in parts}
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(entry)}" for key, entry in sorted(entries.items()))
    listed = f'{{"libraries": {json.dumps(digests, indent=1)},\n"kernels": {{\n{lines}\n}}}}\n'
    (library.FOLDER / library.LIST).write_text(listed, "utf-8")
    return 0


def path_of(target: Target) -> Path:
    """Where a target's library lies, packed."""
    return library.FOLDER / f"{target.name}{target.suffix}.xz"


def check() -> int:
    """Whether the libraries are as listed, and every function in them as its sources say; names what is not."""
    for target in TARGETS:
        try:
            library.unpacked(path_of(target), library.contents().sha256[target.name])
        except (OSError, KeyError, ValueError, lzma.LZMAError) as error:
            sys.stderr.write(f"{path_of(target)}: {error}: run `make kernels` and commit what it writes.\n")
            return FAILED
    entries, parts = library.contents().entries, everything()
    wrong = [part.key for part in parts if part.key not in entries or entries[part.key].digest != part.digest]
    wrong += sorted(set(entries) - {part.key for part in parts})
    if not wrong:
        sys.stdout.write(f"The {len(TARGETS)} libraries of kernels fit the sources: {len(parts)} functions.\n")
        return 0
    named = ", ".join(wrong[:5]) + (", ..." if len(wrong) > 5 else "")
    sys.stderr.write(f"The libraries of kernels do not fit the sources in {len(wrong)} of {len(parts)} functions ({named}): ")
    sys.stderr.write("run `make kernels` and commit what it writes.\n")
    return FAILED


def compile_missing(parts: list[Compiled], known: dict[str, float]) -> dict[str, float]:
    """Compile what is not there yet; the processor time that each took whose time is not known."""
    there = {part for part in parts if all(cache.read(part.key, part.digest, target) for target in TARGETS)}
    missing = sorted((part for part in parts if part not in there), key=lambda part: -known.get(part.key, 0.0))
    count = 0

    def tell(part: Compiled) -> None:
        nonlocal count
        count += 1
        sys.stdout.write(f"[{count}/{len(missing)}] {part.key} {part.seconds:.1f} s\n")
        sys.stdout.flush()

    compile_beside(missing, tell, targets=TARGETS)
    return {part.key: part.seconds for part in missing if part.key not in known}


def link(parts: list[Compiled], target: Target) -> bytes:
    """The shared library of all functions for a target. Raises CalledProcessError if the linker fails."""
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for part in parts:
            code = cache.read(part.key, part.digest, target)
            if code is None:
                raise SystemExit(f"{part.key} was not compiled")
            objects.append(Path(folder, f"{symbol(part.key)}.o"))
            objects[-1].write_bytes(code)
        out = Path(folder, f"kernels{target.suffix}")
        line = [sys.executable, "-m", "ziglang", "cc", "-target", ZIG[target.name], "-shared", "-s"]
        undated = os.environ | {"SOURCE_DATE_EPOCH": "0"}  # a DLL says when it was made
        subprocess.run([*line, "-o", out, *objects, *OPTIONS[target.suffix]], check=True, cwd=folder, env=undated)
        return out.read_bytes()


if __name__ == "__main__":
    sys.exit(main())

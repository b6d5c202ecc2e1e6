"""`python packaging/kernels.py`: build the library of all kernels; with --check, say whether the one there fits the sources.

Compiles on all cores what has changed since it was last built here (object files are kept in build/kernels), links all into
one shared library and packs it with its list into physics/kernel/built. Built twice from the same sources, by the same
versions of numba, LLVM and the linker, it is the same to the byte. Needs numba and a C compiler's linker (cc).
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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ["TUMBLE_CACHE"] = str(ROOT / "build" / "kernels")
os.environ["TUMBLE_KERNELS"] = "compile"

from physics.kernel import cache, library  # noqa: E402
from physics.kernel.function import Compiled, symbol  # noqa: E402
from physics.kernel.prepare import everything  # noqa: E402
from physics.kernel.processes import compile_beside  # noqa: E402
from physics.kernel.target import LEVEL, system  # noqa: E402

PACKING = {"format": lzma.FORMAT_XZ, "preset": 9 | lzma.PRESET_EXTREME}
NAME = f"linux-{LEVEL}"
FAILED = 1
UNTIMED = 1.0  # s: of what was compiled by a run whose list was not kept; the next time it is compiled tells better


def main() -> int:
    parser = argparse.ArgumentParser(prog="make kernels", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="build nothing; end with 1 where it does not fit the sources")
    if parser.parse_args().check:
        return check()
    if system() != NAME:
        sys.stderr.write(f"the library is built on Linux, on a processor of the level {LEVEL}; this is {system()}\n")
        return FAILED
    parts = everything()
    listed = library.read_list(library.FOLDER / f"{NAME}.json").entries
    seconds = {key: entry.seconds for key, entry in listed.items()}
    seconds |= compile_missing(parts, seconds)
    write(parts, link(parts), seconds)
    return 0


def check() -> int:
    """Whether every function is in the library as its sources say; names those that are not."""
    entries, parts = library.read_list(library.FOLDER / f"{NAME}.json").entries, everything()
    wrong = [part.key for part in parts if part.key not in entries or entries[part.key].digest != part.digest]
    wrong += sorted(set(entries) - {part.key for part in parts})
    if not wrong:
        sys.stdout.write(f"The library of kernels fits the sources: {len(parts)} functions.\n")
        return 0
    named = ", ".join(wrong[:5]) + (", ..." if len(wrong) > 5 else "")
    sys.stderr.write(f"The library of kernels does not fit the sources in {len(wrong)} of {len(parts)} functions ({named}): ")
    sys.stderr.write("run `make kernels` and commit what it writes.\n")
    return FAILED


def compile_missing(parts: list[Compiled], known: dict[str, float]) -> dict[str, float]:
    """Compile what is not there yet; the processor time that each took whose time is not known."""
    missing = sorted((part for part in parts if not part.kept), key=lambda part: -known.get(part.key, 0.0))
    count = 0

    def tell(part: Compiled) -> None:
        nonlocal count
        count += 1
        sys.stdout.write(f"[{count}/{len(missing)}] {part.key} {part.seconds:.1f} s\n")
        sys.stdout.flush()

    compile_beside(missing, tell)
    return {part.key: part.seconds for part in missing if part.key not in known}


def link(parts: list[Compiled]) -> bytes:
    """The shared library of all functions. Raises CalledProcessError if the linker fails."""
    with tempfile.TemporaryDirectory() as folder:
        objects = []
        for part in parts:
            code = cache.read(part.key, part.digest)
            if code is None:
                raise SystemExit(f"{part.key} was not compiled")
            objects.append(Path(folder, f"{symbol(part.key)}.o"))
            objects[-1].write_bytes(code)
        out = Path(folder, "kernels.so")
        options = ["-shared", "-nostdlib", "-s", "-Wl,--build-id=none,-z,noexecstack,-z,defs"]
        subprocess.run(["cc", *options, "-o", out, *objects, "-lm", "-lc"], check=True)
        return out.read_bytes()


def write(parts: list[Compiled], content: bytes, seconds: dict[str, float]) -> None:
    """Write the packed library and its list."""
    library.FOLDER.mkdir(exist_ok=True)
    entries = {part.key: [part.digest, seconds.get(part.key, UNTIMED)] for part in parts}
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(entry)}" for key, entry in sorted(entries.items()))
    listed = f'{{"sha256": "{hashlib.sha256(content).hexdigest()}", "kernels": {{\n{lines}\n}}}}\n'
    packed = lzma.compress(content, **PACKING)
    (library.FOLDER / f"{NAME}.so.xz").write_bytes(packed)
    (library.FOLDER / f"{NAME}.json").write_text(listed)
    sys.stdout.write(f"{len(parts)} functions: {len(content) / 1e6:.2f} MB, packed {len(packed) / 1e6:.2f} MB\n")


if __name__ == "__main__":
    sys.exit(main())

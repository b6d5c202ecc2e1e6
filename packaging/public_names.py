"""`python packaging/public_names.py`: write physics/__init__.pyi; with --check, say whether it is up to date.

It holds the public names as imports, for type checkers and editors: at run time `physics/__init__.py` imports each on first use.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tumble import physics  # noqa: E402

PATH = ROOT / "physics" / "__init__.pyi"
FAILED = 1


def text() -> str:
    """The stub: an import of each public name."""
    head = '"""The public names of the engine. Written by packaging/public_names.py."""'
    return "\n".join([head, "", *_imports()]) + "\n"


def _imports() -> Iterator[str]:
    for module in sorted({*physics.PLACES, *physics.WHOLE}):
        if module in physics.WHOLE:
            yield f"from tumble.physics.{module} import *"
            continue
        yield f"from tumble.physics.{module} import ("
        for name in sorted(physics.PLACES[module]):
            yield f"    {physics.RENAMED.get(name, name)} as {name},"
        yield ")"


def main() -> int:
    parser = argparse.ArgumentParser(prog="make docs", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 where the file is another")
    if not parser.parse_args().check:
        PATH.write_text(text(), encoding="utf-8")
    elif not PATH.is_file() or PATH.read_text(encoding="utf-8") != text():
        sys.stderr.write(f"{PATH} does not list the public names: run `make docs`\n")
        return FAILED
    return 0


if __name__ == "__main__":
    sys.exit(main())

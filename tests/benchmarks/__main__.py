"""`python -m tests.benchmarks [--write] [NAME ...]`: all benchmarks but those of fits when none is named."""

import argparse
import platform
import re
import sys
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import (
    calls,
    contacts,
    crowds,
    display,
    doctor,
    fits,
    growth,
    headless,
    heaps,
    pictures,
    robots,
    rollouts,
    speed,
    start,
)

BENCHMARKS: dict[str, Callable[[], str]] = {
    "speed": speed.table,
    "robots": robots.table,
    "integrators": robots.implicit,
    "calls": calls.table,
    "crowds": crowds.table,
    "rates": display.rates,
    "docks": display.docks,
    "start": start.table,
    "contacts": contacts.table,
    "optimality": contacts.optimality,
    "stacks": heaps.standing,
    "growth": growth.table,
    "heaps": heaps.table,
    "rollouts": rollouts.table,
    "headless": headless.table,
    "pictures": pictures.table,
    "doctor": doctor.table,
    "coverage": fits.coverage,
    "cube": fits.cube,
    "pendulum": fits.pendulum,
}
LONG = ("coverage", "cube", "pendulum")  # fits, which take up to hours: only where they are named
DOCUMENT = Path(__file__).parents[2] / "docs" / "performance.md"
HEAD = "# Performance\n\nWritten by `python -m tests.benchmarks --write`; ratios say more than times.\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--write", action="store_true", help="write the tables to docs/performance.md; those of others stay")
    parser.add_argument("--repeat", type=int, default=fits.REPEAT, help="fits of simulated truth (coverage)")
    parser.add_argument("--data", type=Path, help="folder with cube_tosses and double_pendulum (cube, pendulum)")
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(BENCHMARKS)}")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    fits.REPEAT, fits.MEASURED = options.repeat, options.data or fits.MEASURED
    kept = _parts(DOCUMENT.read_text()) if options.names else {}
    for name in options.names or [name for name in BENCHMARKS if name not in LONG]:
        kept[name] = BENCHMARKS[name]()
        sys.stdout.write(kept[name] + "\n")
        sys.stdout.flush()
    if options.write:
        where = f"Python {platform.python_version()}, {platform.machine()}.\n"
        told = [f"<!-- {name} -->\n\n{kept[name].strip()}\n" for name in BENCHMARKS if name in kept]
        DOCUMENT.write_text("\n".join([HEAD, where, *told]))
    return 0


def _parts(document: str) -> dict[str, str]:
    """What the document has of each benchmark: those that are not run again stay."""
    pieces = re.split(r"^<!-- (\w+) -->$", document, flags=re.MULTILINE)
    return dict(zip(pieces[1::2], pieces[2::2], strict=True))


if __name__ == "__main__":
    sys.exit(main())

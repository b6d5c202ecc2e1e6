"""`python -m tests.benchmarks [--write] [speed] [robots] [integrators] [crowds] [rates] [docks] [start] [memory] [contacts]
[optimality] [stacks] [growth] [heaps] [rollouts]`: all of them when none is named."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks import (
    contact_models,
    crowds,
    docks,
    growth,
    heaps,
    integrators,
    memory,
    optimality,
    rates,
    robots,
    rollouts,
    speed,
    stacks,
    start,
)

BENCHMARKS: dict[str, Callable[[], str]] = {
    "speed": speed.table,
    "robots": robots.table,
    "integrators": integrators.table,
    "crowds": crowds.table,
    "rates": rates.table,
    "docks": docks.table,
    "start": start.table,
    "memory": memory.table,
    "contacts": contact_models.table,
    "optimality": optimality.table,
    "stacks": stacks.table,
    "growth": growth.table,
    "heaps": heaps.table,
    "rollouts": rollouts.table,
}
DOCUMENT = Path(__file__).parents[2] / "docs" / "performance.md"
HEAD = "# Performance\n\nWritten by `make bench`; ratios matter more than times, for machines are noisy.\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("--write", action="store_true", help="write the tables to docs/performance.md")
    parser.add_argument("names", nargs="*", help=f"which: {', '.join(BENCHMARKS)}")
    options = parser.parse_args()
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"no benchmark {', '.join(sorted(unknown))}; there are {', '.join(BENCHMARKS)}")
    parts = [HEAD, f"Python {platform.python_version()}, {platform.machine()}.\n"]
    for name in options.names or BENCHMARKS:
        text = BENCHMARKS[name]()
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
        parts.append(text)
    if options.write:
        DOCUMENT.write_text("\n".join(parts))
        if not options.names or "growth" in options.names:
            growth.PLOT.write_text(growth.plot())
    return 0


if __name__ == "__main__":
    sys.exit(main())

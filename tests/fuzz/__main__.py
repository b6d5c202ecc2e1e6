"""`python -m tests.fuzz`: a campaign of mutants; exit code 1 where something is not clean. `make fuzz` runs it for an hour."""

import argparse
import os
import sys

from tests.fuzz.campaign import Campaign
from tests.fuzz.corpora import corpus, folders
from tests.fuzz.kinds import KINDS


def main() -> int:
    """Run a campaign; the exit code."""
    made = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    made.add_argument("--minutes", type=float, default=60.0)
    made.add_argument("--seed", type=int, default=0, help="which mutants")
    made.add_argument("--first", type=int, default=0, help="number of the first mutant")
    made.add_argument("--number", type=int, help="of mutants, if the time lasts")
    made.add_argument("--kinds", nargs="*", default=[], choices=list(KINDS), help="of files; else all")
    made.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="child processes at a time")
    made.add_argument("--checked", action="store_true", help="kernels that check every index, which are compiled first")
    options = made.parse_args()
    say(f"{len(corpus())} published models in {', '.join(map(str, folders()))}")
    campaign = Campaign(options.seed, options.minutes, options.first, options.number, tuple(options.kinds), options.checked)
    figures = campaign.run(options.workers)
    say(f"\nseed {options.seed}\n\n{figures.table()}\n")
    for found in sorted(figures.findings.values(), key=lambda one: -one.times):
        say(f"{found.times} x {found.outcome}: {found.kind}: {found.at}: {found.message[:200]}")
        say(f"  mutant {found.number}, {found.kept}")
    return 1 if figures.findings else 0


def say(text: str) -> None:
    """Print, at once."""
    print(text, flush=True)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())

"""`make battery`: generated pairs of shapes in both engines, and for each disagreement who is right.

BATTERY_NUMBER: how many pairs (200,000); BATTERY_SEED: which (1); BATTERY_KINDS: only pairs of kinds in which one is named;
BATTERY_SHOW: how many of the worst cases of each disagreement to show.
"""

import os
import sys

from tests.battery.report import report
from tests.battery.run import pairs_of_kinds, run_pair


def main() -> None:
    number, seed = int(os.environ.get("BATTERY_NUMBER", "200000")), int(os.environ.get("BATTERY_SEED", "1"))
    only = os.environ.get("BATTERY_KINDS", "").split()
    pairs = [p for p in pairs_of_kinds() if not only or any(k in only or "-".join(p) in only for k in p)]
    results = []
    for kinds in pairs:
        results.append(run_pair(kinds, -(-number // len(pairs)), seed))
        sys.stderr.write(".")
        sys.stderr.flush()
    sys.stdout.write("\n" + report(results, int(os.environ.get("BATTERY_SHOW", "0"))))


main()

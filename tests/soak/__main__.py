"""Plays the real window for hours, and says what grew: `make soak HOURS=8`, or `python -m tests.soak --help`."""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from random import SystemRandom
from time import monotonic

from tests.soak import report
from tests.soak.place import REPORT, STACKS, Place, screen
from tests.soak.scenes import PLAIN, SCENES

LOOK = 600.0  # between two looks at how it goes [s]
AFTER = 900.0  # for the last action, and to close [s]
HUNG = "Timeout"  # with which the stacks of a process that hung begin


def main() -> int:
    """0: nothing grew and all was clean; 1: something was not; 2: it was too short to be judged."""
    options = _options()
    if options.report is not None:
        found = report.of(Place(options.report))
        print(found.text())  # noqa: T201
        return _code(found)
    place = Place(options.folder or Path(tempfile.mkdtemp(prefix="soak-"))).make()
    seed = SystemRandom().randrange(2**31) if options.seed is None else options.seed
    seconds = 3600.0 * options.hours
    plan = {"seconds": seconds, "seed": seed, "only": options.only, "first": options.first, "scene": options.scene}
    line = [sys.executable, "-m", "tests.soak.play", json.dumps([str(place.root), [*map(str, options.corpus)], plan])]
    _say(f"seed {seed}; journal, stacks and report in {place.root}")
    with screen() as display, subprocess.Popen(line, env=place.environment() | {"DISPLAY": display}) as player:
        died = _follow(player, place, seconds)
    found = report.of(place, died)
    place[REPORT].write_text(found.text())
    _say(found.text())
    return _code(found)


def _follow(player: subprocess.Popen[bytes], place: Place, seconds: float) -> str:
    """Wait for the end, and say now and then how it goes; returns how the process ended, "" if as it should.

    Ctrl+C ends the run early: the window closes after its last action, and the report says what was seen until then.
    """

    def pass_on(number: int, frame: object) -> None:
        player.send_signal(signal.SIGTERM)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, pass_on)
    until = monotonic() + seconds + AFTER
    while True:
        try:
            code = player.wait(min(LOOK, max(until - monotonic(), 1.0)))
            break
        except subprocess.TimeoutExpired:
            found = report.of(place)
            place[REPORT].write_text(found.text())
            _say(found.text())
            if monotonic() > until:
                player.kill()
                return "it did not end in time, and was killed"
    if HUNG in place[STACKS].read_text():
        return "the window did not answer; the stacks of all threads:"
    return "" if code == 0 else f"it ended with the code {code}"


def _code(found: report.Report) -> int:
    return 0 if found.is_well else 1 if found.unclean or found.judged else 2


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--hours", type=float, default=8.0, metavar="H")
    parser.add_argument("--seed", type=int, help="what is done, in which order; default: another at each run, which is said")
    parser.add_argument("--only", nargs="*", default=[], metavar="ACTION", help="play only these, as the report calls them")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin after the action of this number")
    parser.add_argument("--scene", choices=list(SCENES), default=PLAIN, help="busy: soft bodies, four views and a controller")
    parser.add_argument("--corpus", type=Path, nargs="*", default=[], metavar="FOLDER", help="models besides the examples")
    parser.add_argument("--folder", type=Path, help="where all of it lives; default: a new one for temporary files")
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="say what a run has found, or has found so far")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

"""From the start of the process to the window, and to the first painted frame in which the humanoid has moved."""

import tempfile
from pathlib import Path
from statistics import median

import numpy as np

from tests.benchmarks.display import probe
from tests.benchmarks.markdown import grid, section
from tests.benchmarks.onlooker import ours, reference, watch
from tests.physics.scenes import HUMANOID
from tumble.app.library.examples import FIRST

RUNS = 5
PAIRS = 9
SLOW = 5.0  # a start that takes longer is measured once [s]: kernels are compiled meanwhile
PHASES = {
    "interpreter": "Python itself",
    "imports": "imports of the program",
    "qt": "Qt and the theme",
    "window": "the window and its actions built",
    "shown": "laid out and painted for the first time",
    "scene": "the model read, its first picture",
    "first_frame": "it has moved",
}
SETTINGS = ("window shown", "scene visible", "moving")
WORKED = tuple(f"{name}, processor" for name in SETTINGS)


def table() -> str:
    """Starts in several ways, beside the reference's viewer, and where the time of a start with cached kernels goes."""
    probe(HUMANOID, 0.0)  # writes bytecode, fills the cache
    cached = [probe(HUMANOID, 0.0) for _ in range(RUNS)]
    rows = [
        _row("kernels cached", cached, "0.6", "", "1.2"),
        _row("empty home", _starts(HUMANOID, home=True), "1.1", "", "1.7"),
        _row("library taken away, empty cache", _starts(HUMANOID, library=False), "", "1.5", "15"),
        _row("the same, the bundled first scene", _starts(FIRST.path, library=False), "", "1.5", "25"),
    ]
    return section(
        "Start",
        f"Seconds from process start, medians of {RUNS} (one where it takes more than {SLOW:g} s); wanted in brackets.",
        grid(f" | {' | '.join(SETTINGS)}", rows), *_beside_reference(),
        "Where the time goes with cached kernels:", grid("until | seconds | of them", _phases(cached)),
    )  # fmt: skip


def _starts(path: Path, *, home: bool = False, library: bool = True) -> list[dict[str, float]]:
    """Starts with nothing kept from before; home: no home directory either; library: with the kernels that were built ahead."""
    found: list[dict[str, float]] = []
    while not found or (len(found) < RUNS and found[-1]["first_frame"] < SLOW):
        with tempfile.TemporaryDirectory() as empty:
            env = {"TUMBLE_CACHE": f"{empty}/kernels"} | ({} if library else {"TUMBLE_KERNELS": "compile"})
            if home:
                env |= {"HOME": empty, "XDG_CONFIG_HOME": f"{empty}/config", "XDG_CACHE_HOME": f"{empty}/cache"}
            found.append(probe(path, 0.0, env=env))
    return found


def _row(name: str, starts: list[dict[str, float]], *wanted: str) -> list[str]:
    cells = (
        f"{median(start[key] for start in starts):.2f}{f' ({aim})' if aim else ''}"
        for key, aim in zip(("shown", "scene", "first_frame"), wanted, strict=True)
    )
    return [name, *cells]


def _beside_reference() -> list[str]:
    """Starts of this program and of the reference's viewer in turn, both seen from outside."""
    with tempfile.TemporaryDirectory() as folder:
        kernels = Path(folder, "kernels")
        watch(ours(HUMANOID), kernels)  # unpacks the library
        pairs = [(watch(ours(HUMANOID), kernels), watch(reference(HUMANOID), kernels)) for _ in range(PAIRS)]
    whole = [(mine, theirs) for mine, theirs in pairs if mine is not None and theirs is not None]
    if not whole:
        return ["Beside `python -m mujoco.viewer`: not measured, it does not run here."]
    mine, theirs = ([median(times) for times in zip(*side, strict=True)] for side in zip(*whole, strict=True))
    ratios = [ours / theirs for ours, theirs in zip(mine, theirs, strict=True)]
    named = {"this program": mine, "`python -m mujoco.viewer`": theirs, "ratio (wanted: 0.8)": ratios}
    rows = [(name, *(f"{number:.2f}" for number in numbers)) for name, numbers in named.items()]
    return [
        f"Beside `python -m mujoco.viewer --mjcf=...`, {len(whole)} starts of each in turn, the screen looked at every 5 ms:",
        grid(f" | {' | '.join(SETTINGS + WORKED)}", rows),
    ]


def _phases(starts: list[dict[str, float]]) -> list[tuple[str, ...]]:
    ages = [median(start[key] for start in starts) for key in PHASES]
    steps = np.diff([0.0, *ages])
    return [(words, f"{age:.2f}", f"{step:.2f}") for words, age, step in zip(PHASES.values(), ages, steps, strict=True)]

"""Has kernels ready: from the library, from the cache, or compiled, with word of how far that is."""

from __future__ import annotations

import importlib
import logging
import os
import pkgutil
import threading
from collections.abc import Callable, Iterable, Sequence
from time import perf_counter

from msgspec import Struct

from tumble import physics
from tumble.physics.kernel import library
from tumble.physics.kernel.function import STAGES, Compiled
from tumble.physics.kernel.processes import compile_beside

log = logging.getLogger(__name__)

# Fewer functions than this are compiled here: starting a process costs about as much as one of them.
WORTHWHILE = 4
_USUAL = 1.0  # processor time that compiling a function of unknown cost may take [s]
_START = 1.0  # ... and that a process takes to begin [s]
_NEARLY = 0.9  # of what is at work can be thought done before it is


class KernelProgress(Struct, frozen=True):
    """Progress of compiling. done: 0 to 1, never decreasing; left: estimated time left [s]."""

    done: float
    left: float

    def __str__(self) -> str:
        return f"{100 * self.done:.0f} %, about {max(1, round(self.left))} s left"


Told = Callable[[KernelProgress], None]


def ready(parts: Iterable[Compiled]) -> bool:
    """True if nothing has to be compiled: all is loaded, in the library, or in the cache."""
    return all(part.ready or part.kept for part in parts)


def cost(part: Compiled) -> float:
    """About the processor time that compiling it takes [s], as it took where a library was built."""
    return library.cost(part.key) or _USUAL


class Meter:
    """Tells how far compiling is by the cost of what is done, and by the time that has gone since."""

    def __init__(self, parts: Sequence[Compiled], tell: Told) -> None:
        """parts: in the order in which they are begun."""
        self._tell = tell
        self._left = {part: cost(part) for part in parts}
        self._total = sum(self._left.values()) or _USUAL
        self._workers = min(os.cpu_count() or 1, len(parts)) or 1
        self._began = self._last = perf_counter()
        self._most = 0.0
        tell(KernelProgress(0.0, _START + self._total / self._workers))

    def add(self, part: Compiled) -> None:
        """A part is done."""
        self._left.pop(part, None)
        self._last = perf_counter()
        self._say(0.0)

    def wait(self) -> None:
        """Nothing new: what is being compiled is further on, but not done."""
        at_work = sum(list(self._left.values())[: self._workers])
        self._say(min(_NEARLY * at_work, (perf_counter() - self._last) * self._rate))

    @property
    def _rate(self) -> float:
        """Cost that is done in a second: what this computer has shown, more surely the more is done."""
        spent, seen = self._total - sum(self._left.values()), perf_counter() - self._began
        share = spent / self._total
        shown = spent / seen if spent > 0 and seen > 0 else self._workers
        return share * shown + (1 - share) * self._workers

    def _say(self, more: float) -> None:
        """more: cost of the parts that are not done which is behind us."""
        left = sum(self._left.values()) - more
        self._most = max(self._most, 1.0 if not self._left else 1 - left / self._total)
        self._tell(KernelProgress(self._most, max(0.0, left / self._rate)))


def load(parts: Iterable[Compiled], told: Told | None = None) -> None:
    """Have functions ready to run. told: hears how far that is if some have to be compiled; else the log says so, once."""
    todo = [part for part in dict.fromkeys(parts) if not part.ready]
    missing = [part for part in todo if not part.kept]
    missing.sort(key=cost, reverse=True)  # long ones first: no core idles at the end
    if missing:
        seconds = sum(map(cost, missing)) / min(os.cpu_count() or 1, len(missing))
        if told is None and seconds > 1:
            log.warning("compiling %d kernels, once on this computer: about %.0f s", len(missing), _START + seconds)
        meter = Meter(missing, told or (lambda progress: None))
        if told is not None or len(missing) >= WORTHWHILE:  # a listener means a window, which compiling here would block
            compile_beside(missing, meter.add, waiting=meter.wait)
        for part in missing:
            if not part.kept:
                part.address  # noqa: B018  # compiles
                meter.add(part)
    for part in todo:
        part.address  # noqa: B018  # loads


def everything() -> list[Compiled]:
    """Every function that is compiled on its own, of every option, pair of shapes and panel."""
    for found in pkgutil.walk_packages(physics.__path__, f"{physics.__name__}."):
        if not found.name.startswith("tumble.physics.kernel"):
            importlib.import_module(found.name)
    return [STAGES[key] for key in sorted(STAGES) if key.startswith("tumble.physics.")]


_ahead = threading.Lock()


def work_ahead() -> None:
    """Compile everything that is not needed yet, at low priority, in a thread that ends by itself, so that nothing waits later.

    Where the library had all that was wanted so far, it has the rest too.
    """
    used = [part for part in STAGES.values() if part.ready]
    if all(library.holds(part.key, part.digest) for part in used):
        return
    if _ahead.acquire(blocking=False):
        threading.Thread(target=_work_ahead, name="kernels ahead", daemon=True).start()


def _work_ahead() -> None:
    missing = [part for part in everything() if not part.ready and not part.kept]
    if missing and not library.is_frozen():
        log.info("compiling %d more kernels at low priority", len(missing))
        compile_beside(missing, lambda part: None, gently=True)

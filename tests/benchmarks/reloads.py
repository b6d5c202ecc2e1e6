"""What 200 reloads and 200 moves of docks leave behind: memory and objects of OpenGL."""

import shutil
import tempfile
from pathlib import Path

from tests.benchmarks.display import probe
from tumble.app.library.examples import EXAMPLES

TIMES = 200
FILES = ("figure.xml", "rollers.xml")  # opened in turn


def table() -> str:
    """A table in Markdown; wanted: no more objects, and less than 5 MB."""
    lines = [
        "## Reloads and moves of docks", "",
        f"{TIMES} of each, after as many; every tenth reload opens another file. Wanted: malloc grows by less than 5 MB, no",
        "object of OpenGL more. Megabytes in the first and in the second half:", "",
        "| what | malloc, first | second | resident, first | second | objects of OpenGL |",
        "| --- | ---: | ---: | ---: | ---: | --- |",
    ]  # fmt: skip
    for what, (first, middle, last) in _measured().items():
        grown = [f"{later[kind] - sooner[kind]:+.1f}" for kind in ("malloc", "resident")
                 for sooner, later in ((first, middle), (middle, last))]  # fmt: skip
        objects = {kind: last[kind] - first[kind] for kind in last if kind not in ("malloc", "resident")}
        changed = ", ".join(f"{kind} {by:+.0f}" for kind, by in objects.items() if by)
        lines.append(f"| {what} | {' | '.join(grown)} | {changed or 'as many'} |")
    return "\n".join(lines) + "\n"


def _measured() -> dict[str, list[dict[str, float]]]:
    with tempfile.TemporaryDirectory() as folder:
        for example in EXAMPLES:
            if example.file in FILES:
                shutil.copy(example.path, folder)
        # The rasterizer's threads would hold as many pictures as were ever under way: tens of megabytes by load.
        return probe(Path(folder), TIMES, module="reload_probe", env={"LP_NUM_THREADS": "0"})

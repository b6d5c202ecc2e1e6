"""Pictures without a window, at 640 x 480: a frame of the namespace's Renderer against one of the reference's, both through EGL.

  python -m tests.benchmarks.headless ours|reference MODEL.xml    prints milliseconds a frame: colours, depth, segmentation
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.markdown import grid, section
from tests.physics.scenes import GYM

SIZE = 480, 640
FRAMES, ROUNDS = 60, 3
WANTED = 15.0  # ms a frame of the humanoid, on a machine without a graphics card
MODELS = ("humanoid", "ant", "walker2d")
KINDS = ("colours", "depth", "segmentation")


def table() -> str:
    """A table in Markdown."""
    paths, rows = {path.stem: path for path in GYM}, []
    for name in MODELS:
        runs = [(_child("ours", paths[name]), _child("reference", paths[name])) for _ in range(ROUNDS)]
        for kind in KINDS:
            ours, theirs = (min(run[side][kind] for run in runs) for side in (0, 1))
            rows.append((name, kind, f"{ours:.1f}", f"{theirs:.1f}", f"{theirs / ours:.1f}"))
    return section(
        "Pictures without a window",
        f"Milliseconds a frame of {SIZE[1]} x {SIZE[0]} pixels, update_scene and render together: the median of {FRAMES}\n"
        f"frames, the best of {ROUNDS} runs, which take turns. Without a graphics card, the humanoid's colours should take less\n"
        f"than {WANTED:g} ms.",
        grid("model | what | ours | reference | ratio", rows),
    )


def _child(which: str, path: Path) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.headless", which, str(path)]
    found = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"MUJOCO_GL": "egl"})
    times: dict[str, float] = json.loads(found.stdout.splitlines()[-1])
    return times


def measure(lib: Any, path: str) -> dict[str, float]:
    """Milliseconds a frame of each kind, while the model moves."""
    model = lib.MjModel.from_xml_path(path)
    data = lib.MjData(model)
    found = {}
    renderer = lib.Renderer(model, *SIZE)
    for kind in KINDS:
        if kind == "depth":
            renderer.enable_depth_rendering()
        elif kind == "segmentation":
            renderer.disable_depth_rendering()
            renderer.enable_segmentation_rendering()
        times = []
        for _ in range(FRAMES):
            lib.mj_step(model, data)
            start = time.perf_counter()
            renderer.update_scene(data)
            renderer.render()
            times.append(time.perf_counter() - start)
        found[kind] = 1e3 * median(times)
    renderer.close()
    return found


def main() -> None:
    which, path = sys.argv[1:]
    if which == "ours":
        from tumble import mujoco as lib
    else:
        import mujoco as lib
    sys.stdout.write(json.dumps(measure(lib, path)) + "\n")


if __name__ == "__main__":
    main()

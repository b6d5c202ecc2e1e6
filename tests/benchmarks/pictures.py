"""What pictures cost: by level of quality, Python's share of them, and four views against one. In a process of its own.

  python -m tests.benchmarks.pictures SCENE        prints milliseconds as JSON
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import moderngl
from msgspec.structs import replace

from tests.benchmarks.markdown import grid, section
from tests.crowds import figures
from tumble import physics
from tumble.app.library.examples import EXAMPLES
from tumble.render.camera import default_camera
from tumble.render.frame import Frame
from tumble.render.gpu.context import make_context
from tumble.render.gpu.quality import Quality, QualityLevel
from tumble.render.options import RenderOptions
from tumble.render.renderer import Renderer

SIZE = 960, 640
FRAMES, WARM, ROUNDS = 12, 4, 2
KINDS = ("box", "sphere", "capsule", "cylinder")
SCENES = ("50 shapes", "22 figures", "100 figures")
WANTED = {"50 shapes": 1.0, "22 figures": 2.0, "100 figures": 5.0}  # Python's share [ms]
EXAMPLE = next(example.path for example in EXAMPLES if example.file == "figure.xml")


def shapes(count: int) -> str:
    """Shapes of four kinds in rows above a floor, in the light of a lamp."""
    bodies = "".join(
        f'<body pos="{0.3 * (i % 10)} {0.3 * (i // 10)} 1"><freejoint/><geom type="{KINDS[i % 4]}" size=".1 .1 .1"/></body>'
        for i in range(count)
    )
    light = '<light pos="0 0 4"/><geom type="plane" size="0 0 1"/>'
    return f"<mujoco><worldbody>{light}{bodies}</worldbody></mujoco>"


def table() -> str:
    """A row for each scene."""
    rows, device = [], ""
    for scene in ("figure.xml", *SCENES):
        runs = [_child(scene) for _ in range(ROUNDS)]
        found = {kind: min(float(run[kind]) for run in runs) for kind in runs[0] if kind != "device"}
        device = str(runs[0]["device"])
        wanted = f"{WANTED[scene]:g}" if scene in WANTED else ""
        ratio = found["four"] / found["plain"]
        rows.append((scene, *(f"{found[level.name.lower()]:.1f}" for level in QualityLevel),
                     f"{found['four']:.1f} ({ratio:.1f} x)", f"{found['python']:.2f}", wanted))  # fmt: skip
    return section(
        "Pictures of the view",
        f"Milliseconds a picture of {SIZE[0]} x {SIZE[1]} pixels: the median of {FRAMES}, the best of {ROUNDS} runs.\n"
        "Four views: of that size in all; wanted: less than three times one. Python's share: of the thread's time, with\n"
        "nothing handed to the graphics card.",
        grid("scene | plain | fine | best | four views, plain | Python's share | wanted", rows), f"On {device}.",
    )  # fmt: skip


def _child(scene: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.benchmarks.pictures", scene]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    times: dict[str, Any] = json.loads(found.stdout.splitlines()[-1])
    return times


def _model(scene: str) -> physics.MjModel:
    if scene == EXAMPLE.name:
        return physics.MjModel.from_xml_path(str(EXAMPLE))
    if scene == SCENES[0]:
        return physics.MjModel.from_xml_string(shapes(50))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.xml"
        path.write_text(figures(int(scene.split()[0])))
        return physics.MjModel.from_xml_path(str(path))


def measure(scene: str) -> dict[str, Any]:
    """Milliseconds of each kind."""
    model = _model(scene)
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    frame, camera, options = Frame.from_data(data), default_camera(model), RenderOptions()
    ctx = make_context()
    target = ctx.framebuffer([ctx.renderbuffer(SIZE, 4)], ctx.depth_renderbuffer(SIZE))
    found: dict[str, Any] = {"device": ctx.info["GL_RENDERER"]}
    half = SIZE[0] // 2, SIZE[1] // 2
    corners = [(x, y) for x in (0, half[0]) for y in (0, half[1])]
    for level in QualityLevel:
        renderer = Renderer(ctx, model, quality=replace(Quality.of(ctx, None, level), simplify=False))

        def one(renderer: Renderer = renderer) -> None:
            renderer.render(target, frame, camera, options, *SIZE)

        def four(renderer: Renderer = renderer) -> None:
            for corner in corners:
                renderer.render(target, frame, camera, options, *half, corner=corner)

        found[level.name.lower()] = _time(ctx.finish, one)
        if level is QualityLevel.PLAIN:
            found["four"] = _time(ctx.finish, four)
            found["python"] = _python(one)
        target.use()
        renderer.release()
    return found


def _time(finish: Callable[[], None], draw: Callable[[], None]) -> float:
    times = []
    for _ in range(WARM + FRAMES):
        begun = time.perf_counter()
        draw()
        finish()
        times.append(time.perf_counter() - begun)
    return 1e3 * median(times[WARM:])


def _python(draw: Callable[[], None]) -> float:
    """Of the thread's time, while nothing is drawn or cleared."""
    kept = moderngl.VertexArray.render, moderngl.Framebuffer.clear
    nothing: Any = lambda *_, **__: None  # noqa: E731
    moderngl.VertexArray.render, moderngl.Framebuffer.clear = nothing, nothing  # type: ignore[method-assign]
    times = []
    for _ in range(5 * FRAMES):
        begun = time.thread_time()
        draw()
        times.append(time.thread_time() - begun)
    moderngl.VertexArray.render, moderngl.Framebuffer.clear = kept  # type: ignore[method-assign]
    return 1e3 * median(times)


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1])))  # noqa: T201

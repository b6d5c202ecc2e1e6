"""Sizes, model changes and release: nothing breaks, and no OpenGL object outlives its renderer."""

import ctypes
from typing import Any

import moderngl
import numpy as np
import pytest

from tumble.render.camera import Camera, default_camera
from tumble.render.frame import Frame
from tumble.render.gpu import shaders
from tumble.render.gpu.quality import Quality
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import PictureMode, RenderOptions
from tumble.render.renderer import Renderer

RICH = """
<asset><texture name="sky" type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 0" width="32" height="32"/>
<texture name="t" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
<texture name="c" type="cube" builtin="flat" rgb1="1 0 0" width="16" height="16"/>
<material name="m" texture="t" reflectance=".3"/><material name="n" texture="c"/>
<mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/></asset>
<worldbody><light type="directional" dir="0 .1 -1"/><geom type="plane" size="0 0 1" material="m"/>
<body pos="0 0 1"><freejoint/><geom type="mesh" mesh="tetra" material="n"/>
<geom type="capsule" size=".1 .4" rgba="1 1 1 .4"/></body>
</worldbody>"""


def alive(ctx: moderngl.Context) -> dict[str, int]:
    """How many OpenGL objects of each kind live in the current context, asked of OpenGL itself, name by name."""
    # OpenGL keeps the program in use until another one is: make that the probe's, always, the second time as the first.
    fragment = "#version 330\nout vec4 f; void main() { f = vec4(1.0); }"
    program = ctx.program("#version 330\nvoid main() { gl_Position = vec4(2.0); }", fragment)
    array = ctx.vertex_array(program, [])
    array.render(vertices=3)
    array.release()
    program.release()
    gl = ctypes.CDLL("libGL.so.1")
    kinds = ("Buffer", "Texture", "Renderbuffer", "Framebuffer", "Program", "Shader", "VertexArray")
    return {kind: sum(bool(getattr(gl, f"glIs{kind}")(name)) for name in range(1, 3000)) for kind in kinds}


@pytest.mark.parametrize("samples", [0, 4])
def test_release_leaves_no_opengl_object_alive(ctx: moderngl.Context, buffer: Any, load: Any, samples: int) -> None:
    model, data = load(RICH)
    other, other_data = load('<worldbody><geom size="1"/></worldbody>')
    target = buffer(200, 200)
    target.use()
    alive(ctx)
    before = alive(ctx)
    assert before["Renderbuffer"] == 2
    renderer = Renderer(ctx, model, samples)
    frame, camera, options = Frame.from_data(data), default_camera(model), RenderOptions(joint=True, com=True)
    for width, height in ((200, 100), (50, 200), (1, 1), (0, 5), (5, -3), (200, 200)):
        view = renderer.render(target, frame, camera, options, width, height)
        assert (view is None) == (min(width, height) < 1)  # no pixels, no picture
    renderer.set_model(other)
    edges = RenderOptions(mode=PictureMode.WIREFRAME)
    renderer.render(target, Frame.from_data(other_data), default_camera(other), edges, 100, 100)
    assert all(alive(ctx)[kind] > before[kind] for kind in before if kind != "Shader")
    renderer.release()
    assert alive(ctx) == before
    assert ctx.error == "GL_NO_ERROR"


def test_pictures_do_not_pile_up_objects(ctx: moderngl.Context, buffer: Any, load: Any) -> None:
    model, data = load(RICH)
    target, renderer, frame, camera = buffer(64, 64), Renderer(ctx, model, 4), Frame.from_data(data), default_camera(model)
    for width in (64, 30):  # mirrored pictures of two sizes are kept
        renderer.render(target, frame, camera, RenderOptions(), width, 64)
    steady = alive(ctx)
    for i in range(30):
        renderer.render(target, frame, camera, RenderOptions(), 40 + i % 20, 64)
    assert alive(ctx) == steady
    renderer.release()


def test_shader_programs_of_old_models_are_evicted_and_rebuilt(
    ctx: moderngl.Context, buffer: Any, load: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each set of lights has programs of its own: a window that is open for long sees any number of them."""
    monkeypatch.setattr(shaders, "MOST_KEPT", 4)
    target = buffer(64, 64)
    first, data = load(RICH)
    renderer = Renderer(ctx, first, 0)

    def picture() -> bytes:
        renderer.render(target, Frame.from_data(data), default_camera(first), RenderOptions(), 64, 64)
        return bytes(target.read())

    seen = picture()
    for mask in range(8):
        kinds = ("spot", "directional")
        lights = "".join(f'<light type="{kinds[mask >> bit & 1]}" castshadow="false" pos="0 0 {3 + bit}"/>' for bit in range(3))
        model, state = load(f'<worldbody>{lights}<geom size="1"/></worldbody>')
        renderer.set_model(model)
        renderer.render(target, Frame.from_data(state), default_camera(model), RenderOptions(), 64, 64)
    assert alive(ctx)["Program"] <= 4 + 4  # those of one model besides
    renderer.set_model(first)
    assert picture() == seen
    assert ctx.error == "GL_NO_ERROR"
    renderer.release()


def test_direct_render_keeps_the_multisample_framebuffer(ctx: moderngl.Context, buffer: Any, load: Any) -> None:
    model, data = load(RICH)
    target, frame, camera = buffer(64, 64), Frame.from_data(data), default_camera(model)
    smooth, plain = Renderer(ctx, model, 4), Renderer(ctx, model, 0)
    smooth.render(target, frame, camera, RenderOptions(), 64, 64)
    plain.render(target, frame, camera, RenderOptions(), 30, 20)
    expected = target.read(viewport=(0, 0, 30, 20))
    kept = alive(ctx)["Renderbuffer"]
    for _ in range(2):
        target.clear()
        smooth.render(target, frame, camera, RenderOptions(), 30, 20, direct=True)
        assert target.read(viewport=(0, 0, 30, 20)) == expected
    assert alive(ctx)["Renderbuffer"] <= kept + 1  # the depth of the mirrored picture's other size
    for owned in (smooth, plain):
        owned.release()


def test_state_left_by_others_does_not_show(load: Any) -> None:
    model, data = load(RICH)
    frame = Frame.from_data(data)
    with OffscreenRenderer(model, 64, 48, samples=0) as renderer:
        clean = renderer.render(frame)
        ctx = renderer.context
        ctx.enable_only(moderngl.BLEND | moderngl.CULL_FACE)
        ctx.blend_func = moderngl.ONE, moderngl.ONE
        ctx.front_face, ctx.cull_face, ctx.depth_func, ctx.wireframe = "cw", "front", ">", True
        ctx.polygon_offset = 5.0, 5.0
        np.testing.assert_array_equal(renderer.render(frame), clean)


def test_resizing_changes_the_picture_and_not_what_is_seen(load: Any) -> None:
    model, data = load('<worldbody><geom size=".5" rgba="1 0 0 1"/></worldbody>')
    camera = Camera(distance=1.1)
    with OffscreenRenderer(model, 64, 48) as renderer:
        for width, height in ((64, 48), (200, 30), (31, 77), (1, 1)):
            renderer.resize(width, height)
            picture = renderer.render(Frame.from_data(data), camera)
            assert picture.shape == (height, width, 3)
            red, green, _ = (int(v) for v in picture[height // 2, width // 2])
            assert red > 2 * green


def test_frame_without_poses_and_empty_model_render_sky(load: Any) -> None:
    empty, data = load("")
    for model, frame in ((empty, Frame.from_data(data)), (load(RICH)[0], Frame())):
        with OffscreenRenderer(model, 32, 32, samples=0) as renderer:
            picture = renderer.render(frame)
        assert (picture.min() if model is empty else picture.max()) > 20


def test_software_rendering_takes_no_samples_unless_asked(ctx: moderngl.Context) -> None:
    software = any(name in ctx.info["GL_RENDERER"] for name in ("llvmpipe", "softpipe", "SwiftShader"))
    assert Quality.of(ctx).samples == (0 if software else 4)
    assert Quality.of(ctx, 2).samples == 2


def test_no_opengl_context_is_current_after_release(load: Any) -> None:
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetCurrentContext.restype = ctypes.c_void_p
    model, data = load(RICH)
    with OffscreenRenderer(model, 32, 24, samples=0) as renderer:
        renderer.render(Frame.from_data(data))
        assert egl.eglGetCurrentContext()
    assert not egl.eglGetCurrentContext()


@pytest.mark.parametrize("samples", [0, 4])
def test_adjacent_pictures_equal_single_ones_and_keep_buffers(
    ctx: moderngl.Context, buffer: Any, load: Any, samples: int
) -> None:
    model, data = load(RICH)
    target = buffer(160, 120)
    renderer, frame, camera = Renderer(ctx, model, samples), Frame.from_data(data), default_camera(model)

    def pixels(x: int, y: int, width: int, height: int) -> np.ndarray:
        return np.frombuffer(target.read(viewport=(x, y, width, height), components=3, alignment=1), np.uint8).astype(int)

    # Their corners are even, as the pairs of pixels whose slopes choose a mip level; the small one lies over the large one.
    looks = [RenderOptions(), RenderOptions(mode=PictureMode.SEGMENTATION), RenderOptions()]
    pictures = list(zip([(0, 0, 101, 119), (102, 60, 57, 58), (40, 20, 57, 58)], looks, strict=True))
    alone = []
    for (_, _, width, height), options in pictures:
        renderer.render(target, frame, camera, options, width, height)
        alone.append(pixels(0, 0, width, height))
    target.clear(1.0, 0.0, 1.0)
    steady: dict[str, int] = {}
    drawn = []
    for _ in range(3):
        drawn.clear()
        for (x, y, width, height), options in pictures:
            renderer.render(target, frame, camera, options, width, height, corner=(x, y))
            drawn.append(pixels(x, y, width, height))
        steady = steady or alive(ctx)
    assert alive(ctx) == steady
    for one, other in zip(alone, drawn, strict=True):
        assert np.mean(np.abs(other - one) > 2) < 1e-3  # an edge may fall to its other side
    assert (pixels(102, 60, 57, 58) == drawn[1]).all()  # the next one leaves it alone
    assert (pixels(102, 0, 58, 60).reshape(-1, 3) == (255, 0, 255)).all()
    renderer.release()

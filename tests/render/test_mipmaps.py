"""Mipmaps of textures that are averaged here."""

from unittest.mock import Mock

import moderngl
import numpy as np
import pytest

from tumble.physics.model import MjModel
from tumble.render.gpu.textures import Kept, Textures, halves, make_mipmaps

RGB8, RGBA8, SRGB8, SRGB8_ALPHA8 = 0x8051, 0x8058, 0x8C41, 0x8C43


def _noise(height: int, width: int, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (height, width, channels), np.uint8)


def test_each_level_has_half_the_sides_to_a_single_pixel() -> None:
    shapes = [half.shape[:2] for half in halves(_noise(12, 5), decoded=False)]
    assert shapes == [(6, 2), (3, 1), (1, 1)]


@pytest.mark.parametrize("shape", [(16, 16), (13, 13), (12, 5), (1, 7)])
def test_the_last_level_is_the_mean_of_all_pixels(shape: tuple[int, int]) -> None:
    """Also where a side is odd: no pixel counts twice, or not at all."""
    image = _noise(*shape)
    last = halves(image, decoded=False)[-1]
    np.testing.assert_allclose(last[0, 0], image.reshape(-1, 3).mean(axis=0), atol=0.51)  # of rounding


def test_decoded_colours_are_averaged_as_light() -> None:
    """Half black and half white is half the light, which sRGB stores as 188; stored numbers would give 128."""
    checker = np.zeros((2, 2, 4), np.uint8)
    checker[[0, 1], [0, 1]] = 255
    assert halves(checker, decoded=True)[-1][0, 0].tolist() == [188, 188, 188, 128]
    assert halves(checker, decoded=False)[-1][0, 0].tolist() == [128] * 4


@pytest.mark.parametrize(("channels", "layout"), [(3, RGB8), (4, RGBA8), (3, SRGB8), (4, SRGB8_ALPHA8)])
def test_levels_are_as_opengl_makes_them(ctx: moderngl.Context, channels: int, layout: int) -> None:
    image, decoded = _noise(32, 16, channels), layout in (SRGB8, SRGB8_ALPHA8)
    ours, theirs = (ctx.texture((16, 32), channels, image.tobytes(), internal_format=layout) for _ in range(2))
    make_mipmaps(ours, image, layout, decoded=decoded)
    theirs.build_mipmaps()
    for level, shape in enumerate([(16, 8), (8, 4), (4, 2), (2, 1), (1, 1)], 1):
        seen = [_fetched(ctx, "sampler2D", f"texelFetch(image, ivec2(gl_FragCoord.xy), {level})", each, shape)
                for each in (ours, theirs)]  # fmt: skip
        np.testing.assert_allclose(seen[0], seen[1], atol=0.013)  # OpenGL halves what it has rounded
        assert np.ptp(seen[0]) > 0
    assert ctx.error == "GL_NO_ERROR"


def test_a_cube_has_the_mipmaps_of_each_face(ctx: moderngl.Context) -> None:
    """Seen so small that only its last level is read, a cube whose faces differ gives each its own colour."""
    faces = _noise(6, 1).repeat(8, axis=0).repeat(8, axis=1)
    cube = ctx.texture_cube((8, 8), 3, faces.tobytes())
    make_mipmaps(cube, faces, RGB8, decoded=False)
    cube.filter = (moderngl.LINEAR_MIPMAP_NEAREST, moderngl.NEAREST)
    for at, way in enumerate(["1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0", "0, 0, 1", "0, 0, -1"]):
        seen = _fetched(ctx, "samplerCube", f"textureLod(image, vec3({way}), 3.0)", cube, (1, 1))
        np.testing.assert_allclose(seen[0, 0, :3] * 255, faces[8 * at, 0], atol=1e-3)


def _fetched(
    ctx: moderngl.Context, sampler: str, look_up: str, texture: moderngl.Texture | moderngl.TextureCube, shape: tuple[int, int]
) -> np.ndarray:
    """(height, width, 4) of what a shader reads."""
    program = ctx.program(
        vertex_shader="#version 330\nvoid main() { gl_Position = vec4(vec2(gl_VertexID % 2, gl_VertexID / 2) * 4 - 1, 0, 1); }",
        fragment_shader=f"#version 330\nuniform {sampler} image; out vec4 colour;\nvoid main() {{ colour = {look_up}; }}",
    )
    target = ctx.framebuffer([ctx.texture(shape[::-1], 4, dtype="f4")])
    target.use()
    if isinstance(texture, moderngl.Texture):
        texture.filter = (moderngl.NEAREST_MIPMAP_NEAREST, moderngl.NEAREST)  # without it a level above the first is none
    texture.use(0)
    ctx.vertex_array(program, []).render(moderngl.TRIANGLES, vertices=3)
    return np.frombuffer(target.read(components=4, dtype="f4"), np.float32).reshape(*shape, 4)


def test_a_texture_wider_than_the_card_takes_is_shown_coarser(ctx: moderngl.Context) -> None:
    checker = '<texture name="t" type="2d" builtin="checker" width="8" height="4" rgb1="1 0 0" rgb2="0 0 1"/>'
    model = MjModel.from_xml_string(f"<mujoco><asset>{checker}</asset><worldbody><geom size='1'/></worldbody></mujoco>")
    whole = Textures(ctx, model, Kept(), anisotropic=False).get(0)
    narrow = Mock(wraps=ctx, info={"GL_MAX_TEXTURE_SIZE": 4}, error="")
    fitting = Textures(narrow, model, Kept(), anisotropic=False).get(0)
    assert (whole.size, fitting.size) == ((8, 4), (4, 4))
    assert set(np.frombuffer(fitting.read(), np.uint8).reshape(-1, 3)[:, 0].tolist()) == {0, 255}

"""The renderer needs OpenGL 3.3 and no extension: so it runs on macOS, which stops at 4.1, and on old drivers.

Mesa plays such a driver: it claims another version, and every extension is taken away that is not a part of it.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.child import run_in_child

# The extensions of Mesa's software renderer that became parts of OpenGL up to 3.3, and those of 4.0 and 4.1.
UNTIL_33 = """
ARB_blend_func_extended ARB_copy_buffer ARB_depth_buffer_float ARB_depth_clamp ARB_draw_buffers ARB_draw_elements_base_vertex
ARB_draw_instanced ARB_explicit_attrib_location ARB_fragment_coord_conventions ARB_fragment_shader ARB_framebuffer_object
ARB_framebuffer_sRGB ARB_half_float_pixel ARB_half_float_vertex ARB_instanced_arrays ARB_map_buffer_range ARB_occlusion_query2
ARB_pixel_buffer_object ARB_point_sprite ARB_provoking_vertex ARB_sampler_objects ARB_seamless_cube_map ARB_shader_bit_encoding
ARB_shader_objects ARB_sync ARB_texture_buffer_object ARB_texture_compression_rgtc ARB_texture_float ARB_texture_multisample
ARB_texture_non_power_of_two ARB_texture_rectangle ARB_texture_rg ARB_texture_rgb10_a2ui ARB_texture_swizzle ARB_timer_query
ARB_uniform_buffer_object ARB_vertex_array_bgra ARB_vertex_array_object ARB_vertex_buffer_object ARB_vertex_shader
ARB_vertex_type_2_10_10_10_rev EXT_draw_buffers2 EXT_packed_depth_stencil EXT_packed_float EXT_texture_array
EXT_texture_integer EXT_texture_sRGB EXT_texture_shared_exponent EXT_texture_snorm EXT_transform_feedback
""".split()
# In Mesa each of these is one switch with one of those above, and goes or stays with it.
TWINS = """
ARB_texture_storage_multisample ATI_texture_float EXT_draw_instanced EXT_framebuffer_sRGB EXT_pixel_buffer_object
EXT_provoking_vertex EXT_texture_compression_rgtc EXT_texture_swizzle EXT_timer_query EXT_vertex_array_bgra
MESA_texture_signed_rgba NV_conditional_render NV_depth_clamp
""".split()
UNTIL_41 = """
ARB_ES2_compatibility ARB_draw_buffers_blend ARB_draw_indirect ARB_get_program_binary ARB_gpu_shader5 ARB_gpu_shader_fp64
ARB_sample_shading ARB_separate_shader_objects ARB_shader_precision ARB_shader_subroutine ARB_tessellation_shader
ARB_texture_buffer_object_rgb32 ARB_texture_cube_map_array ARB_texture_gather ARB_texture_query_lod ARB_transform_feedback2
ARB_transform_feedback3 ARB_vertex_attrib_64bit ARB_viewport_array
""".split()
SCENES = ("cards", "cloth", "gallery", "jelly", "rover")
PROGRAM = """
import json
from msgspec.structs import replace
import numpy as np
from tumble import physics
from tumble.render.frame import Frame
from tumble.render.gpu.quality import QualityLevel
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import LabelMode, FrameMode, PictureMode, RenderOptions

plain = RenderOptions()
full = RenderOptions(fog=True, contact_point=True, contact_force=True, joint=True, com=True, inertia=True, camera=True,
                     light=True, transparent=True, flex_vert=True, flex_face=True, label=LabelMode.BODY, frame=FrameMode.BODY)
pictures = {{}}
for scene in {scenes}:
    model = physics.MjModel.from_xml_path(f"resources/models/{{scene}}.xml")
    data = physics.MjData(model)
    physics.mj_forward(model, data)
    for level in QualityLevel:
        renderer = OffscreenRenderer(model, 160, 120, level=level)
        gl = renderer.context
        for name, options in (("plain", plain), ("full", full), ("depth", replace(plain, mode=PictureMode.DEPTH)),
                              ("segmentation", replace(plain, mode=PictureMode.SEGMENTATION))):
            pictures[f"{{scene}} {{level.name}} {{name}}"] = renderer.render(Frame.from_data(data), None, options)
            assert gl.error == "GL_NO_ERROR", (scene, level, name)
        about = [gl.version_code, sorted(gl.extensions)]
        renderer.release()
np.savez({path!r}, **pictures)
print(json.dumps(about))
"""


def _drawn(path: Path) -> tuple[int, list[str], dict[str, np.ndarray]]:
    """The version of OpenGL and its extensions, and the pictures by name."""
    printed = run_in_child(PROGRAM.format(scenes=SCENES, path=str(path)), 300)
    # Mesa names extensions that it cannot take away, before this line or after it, by how the output is buffered.
    version, extensions = json.loads(next(line for line in printed.splitlines() if line.startswith("[")))
    with np.load(path) as file:
        return version, extensions, dict(file)


@pytest.fixture(scope="module")
def unrestricted(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, list[str], dict[str, np.ndarray]]:
    return _drawn(tmp_path_factory.mktemp("gl") / "all.npz")


@pytest.mark.slow
@pytest.mark.parametrize(("version", "kept"), [("3.3", UNTIL_33 + TWINS), ("4.1", UNTIL_33 + TWINS + UNTIL_41)])
def test_pictures_need_no_more_than_the_version_and_no_extension(
    version: str,
    kept: list[str],
    unrestricted: tuple[int, list[str], dict[str, np.ndarray]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, offered, pictures = unrestricted
    code = int(version.replace(".", "")) * 10
    if whole <= code:
        pytest.skip(f"there is only OpenGL {whole}")
    taken = [name for name in offered if name.removeprefix("GL_") not in kept]
    monkeypatch.setenv("MESA_GL_VERSION_OVERRIDE", f"{version}FC")
    monkeypatch.setenv("MESA_GLSL_VERSION_OVERRIDE", str(code))
    monkeypatch.setenv("MESA_EXTENSION_OVERRIDE", " ".join(f"-{name}" for name in taken))
    found, left, restricted = _drawn(tmp_path / "some.npz")
    if found == whole:
        pytest.skip("this OpenGL is not Mesa's, and cannot be restricted")
    assert found == code
    assert len(set(taken) - set(left)) > 100
    assert len({picture.tobytes() for picture in pictures.values()}) > 3 * len(SCENES)  # they do show something
    for name, picture in pictures.items():
        np.testing.assert_array_equal(restricted[name], picture, err_msg=name)

"""Every shader file compiles, in every variant that the passes ask for."""

import itertools
from collections.abc import Iterator

import pytest

from tumble.render.gpu import shaders
from tumble.render.gpu.context import make_context, release_context

SHADOW = {"SHADOW_TAPS": 1, "SHADOW_MAPS": 1, "SHADOW_COUNTS": 1}


@pytest.fixture(scope="module")
def programs() -> Iterator[shaders.Shaders]:
    ctx = make_context()
    compiled = shaders.Shaders(ctx)
    yield compiled
    compiled.release()
    release_context(ctx)


def test_the_programs_are_the_ones_the_passes_name() -> None:
    assert shaders.names() == ["flat", "geom", "occlusion", "plain", "shadow", "sky"]


def test_plain_and_flat_compile(programs: shaders.Shaders) -> None:
    shapes = ({"SKIN": 0, "SOFT": 0}, {"SKIN": 1, "SOFT": 0}, {"SKIN": 0, "SOFT": 1}, {"SKIN": 0, "SOFT": 2})
    assert len({programs.get("plain", INK=ink, **shape).glo for shape in shapes for ink in range(4)}) == 16
    assert len({programs.get("flat", IMAGE=image).glo for image in (0, 1, 2)}) == 3


def test_shadow_and_sky_compile(programs: shaders.Shaders) -> None:
    assert programs.get("shadow", SKIN=0, SOFT=0).glo != programs.get("shadow", SKIN=1, SOFT=0).glo
    assert programs.get("shadow", SKIN=0, SOFT=2).glo > 0
    assert len({programs.get("sky", CUBE=cube, CLASSIC=classic).glo for cube in (0, 1) for classic in (0, 1)}) == 4


@pytest.mark.parametrize(("lights", "positional"), [(0, 0), (1, 0), (1, 1), (3, 5), (8, 255)])
def test_geom_compiles_for_any_lights(programs: shaders.Shaders, lights: int, positional: int) -> None:
    names = ("FOG", "GLOWS", "TEXTURE", "FLOOR", "REFLECTIVE", "MIRRORED", "SKIN", "SOFT", "HEAT", "LAYERS")
    defines = dict.fromkeys(names, 0)
    maps = {"SHADOW_COUNTS": sum(1 << 2 * i for i in range(lights)), "SHADOW_MAPS": max(lights, 1)}
    for taps, classic in itertools.product((0, 1, 4, 9), (0, 1)):
        light = {"LIGHTS": lights, "POSITIONAL": positional, "SHADOW_TAPS": taps, "CLASSIC": classic}
        assert programs.get("geom", **light, **maps, **defines).glo > 0


def test_geom_compiles_in_every_other_combination(programs: shaders.Shaders) -> None:
    flags = ("FOG", "GLOWS", "SKIN", "MIRRORED", "CLASSIC")
    for texture, floor, *switches in itertools.product((0, 1, 2), (0, 1, 2), *[(0, 1)] * 5):
        defines = dict(zip(flags, switches, strict=True))
        # A floor may be the mirror; nothing else is.
        reflective = int(floor > 0 and not defines["SKIN"])
        fixed = {"SOFT": 0, "HEAT": 0, "LIGHTS": 1, "POSITIONAL": 0, **SHADOW, "LAYERS": 7 * defines["FOG"]}
        program = programs.get("geom", TEXTURE=texture, FLOOR=floor, REFLECTIVE=reflective, **fixed, **defines)
        assert program.glo > 0


@pytest.mark.parametrize("soft", [1, 2])
@pytest.mark.parametrize("heat", [0, 1])
def test_geom_shader_compiles_for_flexes_and_heat_colours(programs: shaders.Shaders, soft: int, heat: int) -> None:
    fixed = {"LIGHTS": 1, "POSITIONAL": 0, **SHADOW, "LAYERS": 0, "FOG": 0, "GLOWS": 0, "FLOOR": 0, "REFLECTIVE": 0,
             "CLASSIC": 0}  # fmt: skip
    for texture, mirrored in itertools.product((0, 1, 2), (0, 1)):
        assert programs.get("geom", TEXTURE=texture, MIRRORED=mirrored, SKIN=0, SOFT=soft, HEAT=heat, **fixed).glo > 0


def test_a_program_is_compiled_once(programs: shaders.Shaders) -> None:
    assert programs.get("sky", CUBE=0, CLASSIC=0) is programs.get("sky", CUBE=0, CLASSIC=0)


def test_a_shader_that_does_not_compile_says_which_and_why(programs: shaders.Shaders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shaders, "source", lambda name: "void main() { nonsense; }")
    with pytest.raises(shaders.ShaderError, match=r"(?s)broken.*'X': 1.*nonsense"):
        programs._compile("broken", (("X", 1),))


def test_an_unknown_shader_is_a_missing_file() -> None:
    with pytest.raises(FileNotFoundError):
        shaders.source("nothing.frag.glsl")

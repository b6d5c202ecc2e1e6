"""Every shader file compiles, in every variant that the passes ask for."""

import itertools
from collections.abc import Iterator

import pytest

from tumble.render.gpu import shaders
from tumble.render.gpu.context import make_context, release_context

SHAPES = [{"SKIN": skin, "SOFT": soft} for skin, soft in ((0, 0), (1, 0), (0, 1), (0, 2))]
VARIANTS = {
    "plain": [{"INK": ink, **shape} for shape in SHAPES for ink in range(4)],
    "flat": [{"IMAGE": image} for image in range(3)],
    "shadow": SHAPES,
    "sky": [{"CUBE": cube, "CLASSIC": classic} for cube in (0, 1) for classic in (0, 1)],
    "occlusion": [{"BLUR": 0}, {"BLUR": 1}],
}
GEOM = {
    "LIGHTS": 1, "POSITIONAL": 0, "SHADOW_TAPS": 1, "SHADOW_MAPS": 1, "SHADOW_COUNTS": 1, "FOG": 0, "GLOWS": 0, "TEXTURE": 0,
    "FLOOR": 0, "REFLECTIVE": 0, "MIRRORED": 0, "SKIN": 0, "SOFT": 0, "HEAT": 0, "LAYERS": 0, "CLASSIC": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def programs() -> Iterator[shaders.Shaders]:
    ctx = make_context()
    compiled = shaders.Shaders(ctx)
    yield compiled
    compiled.release()
    release_context(ctx)


def test_programs_compile_in_all_variants(programs: shaders.Shaders) -> None:
    assert shaders.names() == sorted(["geom", *VARIANTS])
    for name, variants in VARIANTS.items():
        assert len({programs.get(name, **defines).glo for defines in variants}) == len(variants)


@pytest.mark.parametrize(("lights", "positional"), [(0, 0), (1, 0), (1, 1), (3, 5), (8, 255)])
def test_geom_compiles_for_any_lights(programs: shaders.Shaders, lights: int, positional: int) -> None:
    maps = {"SHADOW_COUNTS": sum(1 << 2 * i for i in range(lights)), "SHADOW_MAPS": max(lights, 1)}
    for taps, classic in itertools.product((0, 1, 4, 9), (0, 1)):
        light = {"LIGHTS": lights, "POSITIONAL": positional, "SHADOW_TAPS": taps, "CLASSIC": classic}
        assert programs.get("geom", **(GEOM | maps | light)).glo > 0


def test_geom_compiles_in_every_other_combination(programs: shaders.Shaders) -> None:
    flags = ("FOG", "GLOWS", "SKIN", "MIRRORED", "CLASSIC")
    for texture, floor, *switches in itertools.product((0, 1, 2), (0, 1, 2), *[(0, 1)] * 5):
        defines = dict(zip(flags, switches, strict=True))
        # A floor may be the mirror; nothing else is.
        defines |= {"REFLECTIVE": int(floor > 0 and not defines["SKIN"]), "LAYERS": 7 * defines["FOG"]}
        assert programs.get("geom", **(GEOM | defines | {"TEXTURE": texture, "FLOOR": floor})).glo > 0


def test_geom_shader_compiles_for_flexes_and_heat_colours(programs: shaders.Shaders) -> None:
    for soft, heat, texture, mirrored in itertools.product((1, 2), (0, 1), (0, 1, 2), (0, 1)):
        defines = {"SOFT": soft, "HEAT": heat, "TEXTURE": texture, "MIRRORED": mirrored}
        assert programs.get("geom", **(GEOM | defines)).glo > 0


def test_a_program_is_compiled_once(programs: shaders.Shaders) -> None:
    assert programs.get("sky", CUBE=0, CLASSIC=0) is programs.get("sky", CUBE=0, CLASSIC=0)


def test_a_shader_that_does_not_compile_says_which_and_why(programs: shaders.Shaders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shaders, "source", lambda name: "void main() { nonsense; }")
    with pytest.raises(shaders.ShaderError, match=r"(?s)broken.*'X': 1.*nonsense"):
        programs.get("broken", X=1)

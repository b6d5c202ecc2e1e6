"""What the schema of MJCF marks as ignored shows in no picture, in neither look."""

import functools

import numpy as np
import pytest
from msgspec.structs import replace

from tests.physics.mjcf.ignored import FILES, SCENE, changed, changed_all, ignored
from tumble.physics import MjData, MjModel, mj_forward
from tumble.physics.mjcf.reference import places
from tumble.render.camera import default_camera, fix
from tumble.render.frame import Frame
from tumble.render.gpu.quality import QualityLevel
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import RenderOptions

RULES = dict(places())
# All that can be drawn, by both ways in which flexes are; transparent bodies would hide what is drawn on them.
_OFF = ("transparent", "additive", "island", "flex_skin")
_SWITCHES = [name for name, kind in RenderOptions.__annotations__.items() if kind == "bool"]
ALL = replace(RenderOptions(), **{name: name not in _OFF for name in _SWITCHES})


def pictures(xml: str) -> list[np.ndarray]:
    """The scene through its camera: as it opens, in the best quality, and with every flag in both looks."""
    m = MjModel.from_xml_string(xml, FILES)
    d = MjData(m)
    mj_forward(m, d)
    frame = Frame.from_data(d)
    camera = fix(default_camera(m), 0)
    made = []
    for level, looks in ((QualityLevel.BEST, [RenderOptions()]), (QualityLevel.PLAIN, [ALL, replace(ALL, classic=True)])):
        with OffscreenRenderer(m, 48, 36, samples=0, level=level) as renderer:
            made += [renderer.render(frame, camera, options) for options in looks]
    return made


@functools.cache
def plain() -> list[np.ndarray]:
    return pictures(SCENE)


def differ(xml: str) -> list[bool]:
    return [bool((ours != theirs).any()) for ours, theirs in zip(pictures(xml), plain(), strict=True)]


def test_ignored_attributes_show_in_no_picture() -> None:
    if any(differ(changed_all(ignored()))):
        seen = [f"{path} {name}" for path, name in ignored() if any(differ(changed(path, RULES[path].attributes[name])))]
        pytest.fail(f"these are marked as ignored, and show: {', '.join(seen)}")


@pytest.mark.parametrize(("path", "name"), [("asset/material", "metallic"), ("asset/material", "roughness"),
                                            ("light", "bulbradius")])  # fmt: skip
def test_attribute_that_is_drawn_shows_in_these_pictures(path: str, name: str) -> None:
    assert RULES[path].attributes[name].status.level == "supported"
    assert any(differ(changed(path, RULES[path].attributes[name])))

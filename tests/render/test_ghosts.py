"""Ghosts: what moves, drawn as glass where a fork has it; nothing where the two are one."""

from typing import Any

import numpy as np
from msgspec.structs import replace

from tests.render.drawn import draw_list
from tests.render.physical import BARE, FLAT
from tumble.render.camera import Camera
from tumble.render.constants import Category
from tumble.render.drawlist import DrawList
from tumble.render.frame import Frame, Ghost
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import RenderOptions
from tumble.render.passes.shadow import casters
from tumble.render.scene.strokes import ALPHA, PARTED

SCENE = """
<worldbody><light pos="0 0 3"/><geom name="floor" type="plane" size="3 3 1"/>
<geom name="wall" type="box" size=".1 1 1" pos="-2 0 0"/>
<body pos="0 0 1"><freejoint/><geom name="ball" size=".2"/><geom name="bar" type="capsule" size=".05 .3" pos="0 0 .4"/></body>
<body pos="1 0 1"><freejoint/><geom name="hidden" size=".2" group="4"/></body></worldbody>"""
BLUE = (0.2, 0.5, 0.9)


def built(load: Any, shift: tuple[float, float, float] = (0, 0, 0), turn: float = 0.0, **options: bool) -> tuple[Any, DrawList]:
    model, data = load(SCENE)
    frame = Frame.from_data(data)
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    ghost = Ghost(frame.geom_xpos + shift, (turned @ frame.geom_xmat.reshape(-1, 3, 3)).reshape(-1, 9), BLUE)
    drawn = draw_list(model, replace(frame, ghosts=(ghost,)), RenderOptions(**options), Camera(distance=5.0))
    return model, drawn.pick(np.flatnonzero((drawn.category == Category.DECOR) & (drawn.objtype == 0)))


def test_ghost_shows_only_moving_geoms_in_its_colour(load: Any) -> None:
    model, ghosts = built(load, (0.5, 0, 0))
    assert sorted(ghosts.objid) == [model.geom("ball").id, model.geom("bar").id]  # no floor, no wall, nothing hidden
    np.testing.assert_allclose(ghosts.instances["rgba"], [[*BLUE, ALPHA]] * 2, rtol=1e-6)
    np.testing.assert_allclose(ghosts.instances["pos"][0], [0.5, 0, 1], rtol=1e-6)
    assert (ghosts.texture == -1).all()
    assert not casters(ghosts).any()


def test_ghost_fades_in_as_it_separates(load: Any) -> None:
    model, ghosts = built(load)
    assert len(ghosts) == 0
    half = 0.5 * PARTED * float(model.stat.extent)
    _, ghosts = built(load, (half, 0, 0))
    np.testing.assert_allclose(ghosts.instances["rgba"][:, 3], ALPHA / 2, rtol=1e-3)
    assert len(built(load, turn=0.5)[1]) == 2  # also where it is only turned


def test_ghost_with_overlapping_faces_does_not_z_fight(load: Any) -> None:
    """A box and its ghost 5 mm above, seen from a side: its faces are red all over."""
    model, data = load(f"""{FLAT}<statistic extent="1"/><worldbody>
        <body><freejoint/><geom type="box" size=".2 .2 .2" rgba="1 0 0 1"/></body></worldbody>""")
    frame = Frame.from_data(data)
    ghost = Ghost(frame.geom_xpos + np.array([0, 0, 0.005]), frame.geom_xmat.copy(), BLUE)
    with OffscreenRenderer(model, 200, 200, samples=0) as renderer:
        picture = renderer.render(replace(frame, ghosts=(ghost,)), Camera(distance=1.0, azimuth=75.0, elevation=-10.0), BARE)
    box = picture[90:140, 80:120].astype(int)
    assert np.ptp(box.reshape(-1, 3), axis=0).max() <= 1
    assert box[0, 0, 0] > 2 * box[0, 0, 2]


def test_a_ghost_that_is_nowhere_or_of_another_model_is_not_drawn(load: Any) -> None:
    for value in (np.nan, np.inf):
        assert len(built(load, (value, 0, 0))[1]) == 0
    model, data = load(SCENE)
    frame = Frame.from_data(data)
    other = Ghost(np.ones((1, 3)), np.ones((1, 9)), BLUE)
    assert len(draw_list(model, replace(frame, ghosts=(other,)))) == len(draw_list(model, frame))

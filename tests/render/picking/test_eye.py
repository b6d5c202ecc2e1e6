"""What is seen where: objects under pixels against rays of the reference, decoration, contacts, soft bodies, boxes."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from tumble.app.library.examples import EXAMPLES
from tumble.physics.state.enums import mjtObj
from tumble.render.camera import Camera, View, default_camera, view_of
from tumble.render.constants import CONTACT
from tumble.render.frame import Frame
from tumble.render.offscreen import OffscreenRenderer
from tumble.render.options import RenderOptions
from tumble.render.picking.pick import SURFACES, Eye

SIZE = WIDTH, HEIGHT = 320, 240
GEOM, GROUPS = int(mjtObj.mjOBJ_GEOM), np.array([1, 1, 1, 0, 0, 0], np.uint8)
# Ten with shapes, meshes, a height field, crowds of small and thin things; not those whose rays follow signed distances.
NAMED = ("arm", "cards", "columns", "crane", "dominoes", "figure", "gallery", "mechanism", "rover", "tumbler")
EVERYTHING = """<visual><headlight ambient=".5 .5 .5"/></visual><statistic meansize="0.1"/>
<worldbody><light pos="-1.2 0 1" dir="0 0 -1"/><camera name="c" pos="1.2 0 1" xyaxes="1 0 0 0 0 1"/>
<geom name="floor" type="plane" size="5 5 .1"/>
<body name="ball" pos="-.6 0 .19"><freejoint/><geom size=".2"/></body>
<body name="arm" pos=".2 0 .6"><joint name="j" axis="0 0 1" pos="0 0 .05"/><geom type="box" size=".1 .1 .1"/>
<site name="s" pos="0 -.1 .0" size=".03"/></body>
<body name="post" pos=".8 0 .2"><geom type="cylinder" size=".05 .2"/><site name="top" pos="0 0 .25"/></body></worldbody>
<tendon><spatial name="t" width=".004"><site site="s"/><site site="top"/></spatial></tendon>
<actuator><motor site="top" name="pull" refsite="s"/></actuator>"""
SIDE = Camera(lookat=(0.0, 0.0, 0.5), distance=3.2, azimuth=90.0, elevation=-12.0)


class Sight:
    """One model in one state, seen by one camera."""

    def __init__(self, model: Any, data: Any, camera: Camera | None = None, force: Any = None) -> None:
        self.renderer = OffscreenRenderer(model, *SIZE, samples=0)
        self.model, self.frame = model, Frame.from_data(data, force)
        self.view: View = view_of(camera or default_camera(model), model, self.frame, WIDTH / HEIGHT)
        self.eye = Eye(self.renderer.renderer)

    def at(self, place: Any, options: RenderOptions | None = None, kinds: Any = None, reach: int = 0) -> Any:
        """What is seen where a point of the world is (3,), or at a pixel (2,)."""
        x, y = np.asarray(place) if len(place) == 2 else self.view.project(np.asarray(place), *SIZE)[0, :2]
        return self.eye.at(self.frame, self.view, options or RenderOptions(), (x, y), SIZE, kinds, reach)

    def __enter__(self) -> Sight:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.renderer.context.error == "GL_NO_ERROR"
        self.renderer.release()


def test_a_thousand_pixels_show_what_rays_of_the_reference_meet() -> None:
    """A facet more or less: at an outline, a pixel may show its neighbour's object, and of a hundred one does so at most."""
    rng, wrong, found = np.random.default_rng(5), 0, 0
    for path in (example.path for example in EXAMPLES if example.path.stem in NAMED):
        model = mujoco.MjModel.from_xml_path(str(path))
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        with Sight(model, data) as sight:
            options, hit_geom = RenderOptions(), np.zeros(1, np.int32)
            around = sight.renderer.renderer.look(sight.frame, sight.view, options, SIZE, kinds=(GEOM,)).objid
            for x, y in rng.integers((0, 0), SIZE, (100, 2)):
                origin, direction = sight.view.ray(x + 0.5, y + 0.5, *SIZE)
                far = mujoco.mj_ray(model, data, origin, direction, GROUPS, 1, -1, hit_geom)
                hit = sight.at((x + 0.5, y + 0.5), options, (GEOM,))
                if (-1 if hit is None else hit.geom) != hit_geom[0]:
                    wrong += 1
                    assert hit_geom[0] in around[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2], (path.stem, x, y)
                elif hit is not None:
                    found += 1
                    assert hit.body == model.geom_bodyid[hit.geom]
                    assert hit.distance == pytest.approx(far, rel=1e-6)  # vertices of meshes are float32
    assert wrong <= 10
    assert found > 600


def test_what_has_no_surface_is_found_where_it_is_drawn(load: Any) -> None:
    model, data = load(EVERYTHING)
    options = RenderOptions(joint=True, light=True, camera=True, actuator=True, com=True, contact_point=True, contact_force=True)
    force = np.tile([100.0, 0, 0, 0, 0, 0], (data.ncon, 1))
    names = ("light", "camera", "joint", "site", "tendon", "actuator")
    kinds = {name: int(getattr(mjtObj, f"mjOBJ_{name.upper()}")) for name in names}
    joint, site, top = data.xanchor[1] + [0, 0, 0.03], data.site_xpos[0], data.site_xpos[1]
    expected = [
        (data.light_xpos[0] + [0, 0, 0.02], "light", 0, 0),
        (data.cam_xpos[0], "camera", 0, 0),
        (site, "site", 0, 2),
        (0.5 * (site + top), "tendon", 0, -1),
        (top, "actuator", 0, 3),
    ]
    with Sight(model, data, SIDE, force) as sight:
        for place, kind, number, body in expected:
            hit = sight.at(place, options)
            assert (hit.objtype, hit.objid, hit.body) == (kinds[kind], number, body), kind
            x, y, _ = sight.view.project(np.array(hit.point), *SIZE)[0]
            assert np.hypot(*(sight.view.project(np.asarray(place), *SIZE)[0, :2] - (x, y))) < 1e-3
        assert sight.at(joint, options, (kinds["joint"],)).objid == 1
        assert sight.at(joint, options, SURFACES).geom == 2  # the box that it is in
        # The arrow of a force stands on its contact; the disc is under the ball, and found when only contacts are looked for.
        assert data.ncon == 1
        above = sight.view.project(data.contact.pos[0] + [0.0, 0.0, 0.5], *SIZE)[0, :2]
        assert (sight.at(above, options).objtype, sight.at(above, options).objid) == (CONTACT, 0)
        assert sight.at(data.contact.pos[0], options, (CONTACT,)).objid == 0
        assert sight.at(above).geom == 0


def test_pick_tolerance_finds_thin_tendons_but_exact_hit_wins(load: Any) -> None:
    model, data = load(EVERYTHING)
    middle = 0.5 * (data.site_xpos[0] + data.site_xpos[1])
    with Sight(model, data, SIDE) as sight:
        x, y = sight.view.project(middle, *SIZE)[0, :2]
        below = (x, y + 3.0)
        assert sight.at(below) is None or sight.at(below).geom == 0
        hit = sight.at(below, reach=4)
        assert hit.objtype == mjtObj.mjOBJ_TENDON
        np.testing.assert_allclose(np.cross(hit.point - data.site_xpos[0], data.site_xpos[1] - hit.point), 0, atol=0.01)
        x, y = sight.view.project(data.site_xpos[0], *SIZE)[0, :2]
        assert sight.at((x - 4.0, y), reach=4).geom == 2  # on the box, beside its site
        assert sight.at((-1.0, 10.0)) is None
        assert sight.at((WIDTH, 10.0), reach=4) is None
        assert sight.eye.at(Frame(), sight.view, RenderOptions(), (x, y), SIZE) is None  # no poses yet


def test_box_selection_finds_only_visible_objects(load: Any) -> None:
    rows = "".join(f'<geom type="box" size=".1 .1 .1" pos="{0.3 * i} {0.5 * k} 0"/>' for i in range(4) for k in range(2))
    model, data = load(f"<worldbody>{rows}</worldbody>")
    camera = Camera(lookat=(0.45, 0.0, 0.0), distance=3.0, azimuth=90.0, elevation=0.0, orthographic=True)
    with Sight(model, data, camera) as sight:
        corners = sight.view.project(np.array([[0.2, -0.1, 0.2], [0.7, -0.1, -0.2]]), *SIZE)[:, :2].round().astype(int)
        (left, top), (right, bottom) = corners
        areas = sight.eye.within(sight.frame, sight.view, RenderOptions(), (left, top, right - left, bottom - top), SIZE)
        assert set(areas) == {(GEOM, 2), (GEOM, 4)}  # the others in front are outside, those behind covered
        pixel = (sight.view.top - sight.view.bottom) / HEIGHT
        assert areas[GEOM, 2] == pytest.approx(0.04 / pixel**2, rel=0.1)


def test_a_part_of_a_picture_is_that_part_to_the_pixel(load: Any) -> None:
    model, data = load(EVERYTHING)
    with Sight(model, data, SIDE) as sight:
        look = sight.renderer.renderer.look
        full = look(sight.frame, sight.view, RenderOptions(), SIZE)
        part = look(sight.frame, sight.view, RenderOptions(), SIZE, (100, 60, 90, 80))
    for name in ("objtype", "objid"):
        np.testing.assert_array_equal(getattr(part, name), getattr(full, name)[60:140, 100:190])
    np.testing.assert_allclose(part.depth, full.depth[60:140, 100:190], rtol=1e-5)

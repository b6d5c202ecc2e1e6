"""Skins: bent by their bones as the closed form and the reference say, in the picture and under the mouse."""

from typing import Any

import mujoco
import numpy as np
import pytest
from msgspec.structs import replace

from tests.render.drawn import Rays
from tests.render.physical import BARE, FLAT
from tumble.render.camera import Camera, view_of
from tumble.render.frame import Frame
from tumble.render.mesh.skin import deformed, heaviest_bone
from tumble.render.options import RenderOptions
from tumble.render.scene.scene import Scene

TOP = Camera(lookat=(0.0, 0.0, 0.0), distance=4.0, azimuth=90.0, elevation=-89.0)
COLUMNS = 9
X = np.linspace(-1.0, 1.0, COLUMNS)


def strip(inflate: float = 0.0, more: str = "") -> str:
    """A flat strip from x = -1 to 1, 0.4 wide, of two bones: a is held, b turns about the z axis through the origin.

    The pull of b grows linearly from 0 at x = -0.25 to 1 at x = 0.25.
    """
    share = np.clip(2.0 * X + 0.5, 0.0, 1.0)
    vertex = " ".join(f"{x} {y} 0" for y in (-0.2, 0.2) for x in X)
    face = " ".join(f"{i} {i + 1} {i + 1 + COLUMNS} {i} {i + 1 + COLUMNS} {i + COLUMNS}" for i in range(COLUMNS - 1))
    bones = ""
    for body, weight in (("a", 1.0 - share), ("b", share)):
        weights = np.r_[weight, weight]
        chosen = np.flatnonzero(weights > 0)
        bones += f"""<bone body="{body}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="{" ".join(map(str, chosen))}"
            vertweight="{" ".join(map(str, weights[chosen]))}"/>"""
    return f"""{FLAT}<worldbody>{more}<body name="a"><geom size=".01" group="5"/>
        <body name="b"><joint name="j" axis="0 0 1"/><geom size=".01" pos=".5 0 0" group="5"/></body></body></worldbody>
        <deformable><skin rgba="1 0 0 1" inflate="{inflate}" vertex="{vertex}" face="{face}">{bones}</skin></deformable>"""


def bent(load: Any, angle: float, inflate: float = 0.0, more: str = "") -> tuple[Any, Any]:
    model, data = load(strip(inflate, more))
    data.joint("j").qpos[0] = angle
    mujoco.mj_forward(model, data)
    return model, data


def poses(model: Any, data: Any) -> np.ndarray:
    return Scene(model).bones[0].poses(Frame.from_data(data))


def reference_vertices(model: Any, data: Any) -> np.ndarray:
    scene = mujoco.MjvScene(model, 100)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, scene)
    return np.array(scene.skinvert).reshape(-1, 3)[: model.skin_vertnum[0]]


def test_skin_vertex_is_weighted_mean_of_bone_transforms(load: Any) -> None:
    angle = 1.1
    model, data = bent(load, angle)
    points, _ = deformed(model, 0, poses(model, data))
    c, s = np.cos(angle), np.sin(angle)
    share = np.tile(np.clip(2.0 * X + 0.5, 0.0, 1.0), 2)[:, None]
    rest = np.c_[np.tile(X, 2), np.repeat([-0.2, 0.2], COLUMNS), np.zeros(2 * COLUMNS)]
    turned = rest @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]).T
    np.testing.assert_allclose(points, (1 - share) * rest + share * turned, atol=1e-7)  # vertices are float32


@pytest.mark.parametrize("inflate", [0.0, 0.05])
def test_skins_are_where_the_reference_has_them(load: Any, inflate: float) -> None:
    """Bent out of its plane nowhere, the strip has one normal, whichever way it is found."""
    model, data = bent(load, 0.7, inflate)
    points, _ = deformed(model, 0, poses(model, data))
    np.testing.assert_allclose(points, reference_vertices(model, data), atol=2e-6)  # float32 there


def test_gpu_skinning_matches_closed_form(load: Any, snap: Any) -> None:
    model, data = bent(load, 1.2)
    points, faces = deformed(model, 0, poses(model, data))
    picture = snap(model, data, TOP, BARE, size=(320, 240)).astype(int)
    view = view_of(TOP, model, Frame.from_data(data), 320 / 240)
    red = picture[:, :, 0] > picture[:, :, 2] + 80
    inside = np.floor(view.project(points[faces].mean(axis=1), 320, 240)).astype(int)
    assert red[inside[:, 1], inside[:, 0]].all()
    x, y, _ = np.floor(view.project(np.array([0.8, 0.0, 0.0]), 320, 240)[0]).astype(int)
    assert not red[y, x]  # where the unbent strip would be
    # Its area in pixels is that of its triangles, seen from above, to the width of its edge.
    corners = view.project(points[faces].reshape(-1, 3), 320, 240)[:, :2].reshape(-1, 3, 2)
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    assert red.sum() == pytest.approx(0.5 * np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), rel=0.03)


def test_a_skins_normals_turn_with_its_bones(load: Any, snap: Any) -> None:
    """Lit from straight above: a strip turned to its side is darker than one that lies."""
    light = '<light type="directional" dir="0 0 -1" castshadow="false"/>'
    model, data = load(strip(more=light).replace('axis="0 0 1"', 'axis="1 0 0"').replace(FLAT, ""))
    seen = []
    for angle in (0.0, 1.0):
        data.joint("j").qpos[0] = angle
        mujoco.mj_forward(model, data)
        picture = snap(model, data, TOP, BARE)
        x, y, _ = view_of(TOP, model, Frame.from_data(data), 160 / 120).project(np.array([0.7, 0.0, 0.0]), 160, 120)[0]
        seen.append(int(picture[int(y), int(x), 0]))
    assert seen[1] < 0.9 * seen[0]


@pytest.mark.parametrize("shadow", [False, True])
def test_two_sided_skin_is_lit_from_both_sides(load: Any, snap: Any, shadow: bool) -> None:
    light = '<light type="directional" dir="0 0 -1"/><light type="directional" dir="0 0 1" castshadow="false"/>'
    xml = strip(inflate=0.01, more=light).replace(FLAT, "")
    front = xml.split('face="')[1].split('"')[0]
    back = " ".join(np.array(front.split()).reshape(-1, 3)[:, [1, 0, 2]].ravel())
    model, data = load(xml.replace(front, f"{front} {back}"))
    assert np.isfinite(deformed(model, 0, poses(model, data))[0]).all()
    for camera in (TOP, replace(TOP, elevation=89.0)):
        plain = snap(*load(xml if camera is TOP else xml.replace(front, back)), camera, replace(BARE, shadow=shadow)).astype(int)
        picture = snap(model, data, camera, replace(BARE, shadow=shadow)).astype(int)
        red = plain[:, :, 0] > plain[:, :, 2] + 60
        assert red.sum() > 200
        np.testing.assert_allclose(picture[red].mean(axis=0), plain[red].mean(axis=0), atol=8)


def test_a_skin_casts_a_shadow(load: Any, snap: Any) -> None:
    floor = '<light type="directional" dir="0 .5 -1"/><geom type="plane" size="3 3 .1" pos="0 0 -1" rgba=".6 .6 .6 1"/>'
    model, data = bent(load, 0.0, more=floor)
    camera = replace(TOP, distance=6.0)
    lit, dark = (snap(model, data, camera, replace(BARE, shadow=on)).astype(int) for on in (False, True))
    x, y, _ = view_of(camera, model, Frame.from_data(data), 160 / 120).project(np.array([0.5, 0.5, -1.0]), 160, 120)[0]
    assert dark[int(y), int(x)].sum() < 0.8 * lit[int(y), int(x)].sum()


def test_skins_are_switched_by_their_flag_and_group(load: Any, snap: Any) -> None:
    model, data = bent(load, 0.0)
    hidden = replace(BARE, skin_group=[False, True, True, True, True, True])
    shown = [snap(model, data, TOP, options)[60, 95, 0] > 100 for options in (BARE, replace(BARE, skin=False), hidden)]
    assert shown == [True, False, False]


def test_a_pick_on_a_skin_is_the_body_whose_bone_pulls_most(load: Any) -> None:
    model, data = bent(load, np.pi / 2)
    frame, picker = Frame.from_data(data), Rays(model)
    a, b = model.body("a").id, model.body("b").id
    down = np.array([0.0, 0.0, -1.0])
    for x, y, body in ((-0.7, 0.0, a), (0.0, 0.7, b)):
        hit = picker.along(frame, RenderOptions(), np.array([x, y, 2.0]), down)
        assert hit is not None
        assert (hit.skin, hit.geom, hit.body, hit.distance) == (0, -1, body, pytest.approx(2.0))
        np.testing.assert_allclose(data.xpos[body] + data.xmat[body].reshape(3, 3) @ hit.localpos, (x, y, 0), atol=1e-9)
    assert picker.along(frame, RenderOptions(), np.array([0.7, 0.0, 2.0]), down) is None
    assert picker.along(frame, RenderOptions(skin=False), np.array([-0.7, 0.0, 2.0]), down) is None
    assert heaviest_bone(model, 0, np.array([0])) == 0

"""The friction cone of a contact in the picture, patches of pressure, and rings where contacts have ended."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tumble.physics import ContactMode, MjModel
from tumble.render.camera import Camera, View, view_of
from tumble.render.constants import Category, MeshId
from tumble.render.frame import Frame, Gone
from tumble.render.options import RenderOptions, Selection
from tumble.render.scene.contact_legend import (
    FORCE,
    FRICTION,
    OPEN,
    PRESSURE,
    SLIP,
    STICK,
    ContactLegend,
    Scale,
    force_scale,
    height_at,
    legend,
    pressure_colours,
)  # fmt: skip
from tumble.render.scene.contacts import rim
from tumble.render.scene.scene import Scene

CAMERA = Camera(lookat=(0.0, 0.0, 0.3), distance=3.0, azimuth=90.0, elevation=-20.0)
NORMAL, MU = 20.0, (0.6, 0.3, 0.02, 0.01, 0.004)
TURN = np.array([[0.0, 0.0, 1.0], [0.8, 0.6, 0.0], [-0.6, 0.8, 0.0]])  # normal up, tangents turned about it


def moment(force: Any, *, dim: int = 3, cone: str = "elliptic") -> tuple[Any, Frame, View]:
    """A plane and a box with one contact, whose force is given [N, N m]."""
    model = MjModel.from_xml_string(
        f"""<mujoco><option cone="{cone}"/><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 1"/>
        <body pos="0 0 .4"><freejoint/><geom type="box" size=".4 .4 .4" rgba=".2 .2 .2 1"/></body></worldbody></mujoco>"""
    )
    frame = Frame(
        contact_pos=np.array([[0.1, -0.1, 0.0]]), contact_frame=TURN.reshape(1, 9), contact_force=np.array([force], float),
        contact_friction=np.array([MU]), contact_dim=np.array([dim], np.int32), contact_geom=np.array([[0, 1]], np.int32),
        geom_xpos=np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.4]]), geom_xmat=np.tile(np.eye(3).ravel(), (2, 1)),
    )  # fmt: skip
    return model, frame, view_of(CAMERA, model, frame, 4 / 3)


def drawn(model: Any, frame: Frame, view: View, options: RenderOptions, mesh: MeshId, contact: int = 0) -> Any:
    """Decoration of a mesh; with a contact chosen all of it shows through what covers it."""
    part = Scene(model).build(frame, view, options, Selection(contact=contact))
    chosen = (part.category == Category.DECOR) & (part.mesh == mesh)
    assert part.through[chosen].all() or options.classic
    return part.instances[chosen]


def scale_of(frame: Frame, view: View, options: RenderOptions) -> Scale:
    scale = force_scale(frame, view, options)
    assert scale is not None
    return scale


def legend_of(model: Any, frame: Frame, view: View, options: RenderOptions, pair: Any = None) -> ContactLegend:
    found = legend(model, frame, view, options, pair)
    assert found is not None
    return found


def shown(instances: Any) -> Any:
    """The colours of instances in full light."""
    rgba = instances["rgba"].copy()
    rgba[..., :3] *= 1.0 + instances["material"][..., :1]
    return rgba


def local(instance: Any, point: Any) -> Any:
    """A point of the world on an instance's unit mesh."""
    return instance["mat"].reshape(3, 3).T.astype(float) @ (point - instance["pos"]) / instance["scale"][:3]


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.5])
def test_contact_force_reaches_cone_rim_only_when_slipping(angle: float) -> None:
    for share, mode in ((1.0, SLIP), (0.5, STICK)):
        tangents = share * NORMAL * np.array([MU[0] * math.cos(angle), MU[1] * math.sin(angle)])
        model, frame, view = moment([NORMAL, *tangents, 0, 0, 0])
        options = RenderOptions(contact_force=True)
        scale = scale_of(frame, view, options)
        end = frame.contact_pos[0] + scale.length * frame.contact_force[0, :3] @ TURN
        cones = drawn(model, frame, view, options, MeshId.CONE)
        (cone,) = cones[cones["rgba"][:, 3] < 0.9]  # the other is the head of the arrow
        x, y, z = local(cone, end)
        assert z == pytest.approx(0.0, abs=1e-5)
        assert math.hypot(x, y) == pytest.approx(share, rel=1e-5)
        assert local(cone, frame.contact_pos[0]) == pytest.approx((0, 0, 1), abs=1e-5)  # its tip
        assert shown(cone)[:3] == pytest.approx(mode[:3])
        (ball,) = drawn(model, frame, view, options, MeshId.SPHERE)
        assert ball["pos"] == pytest.approx(end, abs=1e-6)
        rods = drawn(model, frame, view, options, MeshId.CAPSULE)
        edge = np.array([local(cone, pos) for pos in rods["pos"]])  # middles of short chords of the rim
        np.testing.assert_allclose(np.hypot(edge[:, 0], edge[:, 1]), math.cos(math.pi / 48), rtol=1e-4)
        np.testing.assert_allclose(edge[:, 2], 0.0, atol=1e-5)


def test_a_pyramid_has_four_facets_with_corners_on_the_tangents() -> None:
    force = [NORMAL, 0.5 * NORMAL * MU[0], -0.5 * NORMAL * MU[1], 0, 0, 0]  # a half of each: on the middle of an edge
    model, frame, view = moment(force, cone="pyramidal")
    options = RenderOptions(contact_force=True)
    scale = scale_of(frame, view, options)
    facets = drawn(model, frame, view, options, MeshId.TRIANGLE)
    assert len(facets) == 8  # and the four of the cut
    tip, middle = frame.contact_pos[0], frame.contact_pos[0] + scale.length * NORMAL * TURN[0]
    corners = middle + scale.length * NORMAL * np.array([MU[0] * TURN[1], MU[1] * TURN[2], -MU[0] * TURN[1], -MU[1] * TURN[2]])
    end = tip + scale.length * np.array(force[:3]) @ TURN
    np.testing.assert_allclose(end, 0.5 * (corners[0] + corners[3]), atol=1e-12)
    for k in range(4):
        edges = facets[k]["mat"].reshape(3, 3)
        np.testing.assert_allclose(facets[k]["pos"], tip, atol=1e-6)
        np.testing.assert_allclose(edges[:, 0], corners[k] - tip, atol=1e-5)
        np.testing.assert_allclose(edges[:, 1], corners[(k + 1) % 4] - tip, atol=1e-5)
    np.testing.assert_allclose(rim(TURN, 2.0, 1.0, elliptic=False)[1], TURN[2], atol=1e-12)


def test_torsion_shrinks_cone_rim_and_condim_1_has_no_cone() -> None:
    options = RenderOptions(contact_force=True)
    torsion = 0.6 * NORMAL * MU[2]
    model, frame, view = moment([NORMAL, 0.8 * NORMAL * MU[0], 0, torsion, 0, 0], dim=4)  # 3, 4, 5: on the cone
    cones = drawn(model, frame, view, options, MeshId.CONE)
    (cone,) = cones[cones["rgba"][:, 3] < 0.9]
    assert shown(cone)[:3] == pytest.approx(SLIP[:3])
    rods = drawn(model, frame, view, options, MeshId.CAPSULE)
    assert len(rods) == 2 * 48
    inner = np.array([local(cone, pos) for pos in rods["pos"][48:]])
    np.testing.assert_allclose(np.hypot(inner[:, 0], inner[:, 1]), 0.8 * math.cos(math.pi / 48), rtol=1e-4)
    model, frame, view = moment([NORMAL, 0, 0, 0, 0, 0], dim=1)
    assert (drawn(model, frame, view, options, MeshId.CONE)["rgba"][:, 3] == 1.0).all()  # arrows alone


def test_friction_cone_is_drawn_only_for_the_chosen_contact() -> None:
    model, frame, view = moment([NORMAL, 1.0, 0, 0, 0, 0])
    assert len(drawn(model, frame, view, RenderOptions(), MeshId.CONE, contact=-1)) == 0
    assert len(drawn(model, frame, view, RenderOptions(), MeshId.CONE)) == 2  # with the arrow's head
    assert len(drawn(model, frame, view, RenderOptions(friction_cone=False), MeshId.CONE)) == 0
    assert len(drawn(model, frame, view, RenderOptions(classic=True), MeshId.CONE)) == 0
    assert len(drawn(model, frame, view, RenderOptions(), MeshId.CONE, contact=5)) == 0  # of another moment
    model, frame, view = moment([0, 0, 0, 0, 0, 0])
    (idle,) = drawn(model, frame, view, RenderOptions(), MeshId.CONE)  # open: small, and grey
    assert shown(idle)[:3] == pytest.approx(OPEN[:3])
    assert idle["scale"][2] == pytest.approx(0.07 * height_at(view, frame.contact_pos)[0], rel=1e-5)
    assert idle["scale"][0] / idle["scale"][2] == pytest.approx(MU[0])


def four_corners(force: Any) -> tuple[Any, Frame, View]:
    model, frame, _ = moment([NORMAL, 0, 0, 0, 0, 0])
    corners = np.array([[0.2, 0.1, 0], [-0.2, 0.1, 0], [-0.2, -0.1, 0], [0.2, -0.1, 0]])
    wrench = np.c_[np.array(force, float), np.zeros((4, 5))]
    many = replace(
        frame, contact_pos=corners, contact_frame=np.tile(TURN.ravel(), (4, 1)), contact_force=wrench,
        contact_friction=np.tile(MU, (4, 1)), contact_dim=np.full(4, 3, np.int32), contact_geom=np.tile([[0, 1]], (4, 1)),
    )  # fmt: skip
    return model, many, view_of(CAMERA, model, many, 4 / 3)


def test_contact_patch_covers_hull_with_pressure_colour() -> None:
    model, frame, view = four_corners([10.0, 10.0, 30.0, 30.0])
    options = RenderOptions(contact_patch=True, patch_pressure=2000.0)
    parts = drawn(model, frame, view, options, MeshId.TRIANGLE, contact=-1)
    edges = parts["mat"].reshape(-1, 3, 3).astype(float)
    area = 0.5 * np.linalg.norm(np.cross(edges[:, :, 0], edges[:, :, 1]), axis=1).sum()
    assert area == pytest.approx(0.08, rel=1e-5)
    np.testing.assert_allclose(shown(parts)[:, :3], np.tile(pressure_colours([0.5]), (len(parts), 1)), rtol=1e-5)  # 1 of 2 kPa
    balls = drawn(model, frame, view, options, MeshId.SPHERE, contact=-1)
    assert balls["pos"][0] == pytest.approx((0.0, -0.05, 0.0), abs=1e-6)
    patch = legend_of(model, frame, view, options).patch
    assert patch is not None
    assert (legend_of(model, frame, view, options).pascals, patch.pressure) == (2000.0, pytest.approx(1000.0))
    twice = replace(
        frame, contact_pos=np.r_[frame.contact_pos, frame.contact_pos + 1], contact_frame=np.tile(TURN.ravel(), (8, 1)),
        contact_force=np.r_[frame.contact_force, 3 * frame.contact_force], contact_dim=np.full(8, 3, np.int32),
        contact_friction=np.tile(MU, (8, 1)), contact_geom=np.array([[0, 1]] * 4 + [[0, 2]] * 4),
    )  # fmt: skip
    for pair, expected in ((None, (0, 2)), ((0, 1), (0, 1)), ((5, 6), (0, 2))):  # else the hardest
        patch = legend_of(model, twice, view, options, pair).patch
        assert patch is not None
        assert patch.pair == expected
    assert len(drawn(model, frame, view, replace(options, classic=True), MeshId.TRIANGLE, contact=-1)) == 0
    ends = np.array([PRESSURE[0], PRESSURE[0], PRESSURE[-1], PRESSURE[-1]])
    assert pressure_colours([-1.0, 0.0, 1.0, 7.0]) == pytest.approx(ends)
    dark = pressure_colours(np.linspace(0, 1, 6)) @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(dark) < -0.05).all()  # brightness alone tells them apart


def test_rings_fade_where_contacts_have_ended() -> None:
    model, frame, view = moment([NORMAL, 0, 0, 0, 0, 0])
    mode = np.array([int(ContactMode.SLIP), int(ContactMode.STICK), int(ContactMode.STICK)])
    gone = Gone(np.arange(9.0).reshape(3, 3), np.tile(TURN.ravel(), (3, 1)), mode, np.tile([0, 1], (3, 1)), np.array([1, 0.5, 0]))
    with_them = replace(frame, gone=gone)
    rods = drawn(model, with_them, view, RenderOptions(contact_point=True), MeshId.CAPSULE, contact=-1)
    assert len(rods) == 2 * 12
    np.testing.assert_allclose(np.unique(shown(rods).round(5), axis=0), [(*STICK[:3], 0.475), (*SLIP[:3], 0.95)], rtol=1e-5)
    middle = rods["pos"][rods["rgba"][:, 3] > 0.9].mean(axis=0)
    assert middle == pytest.approx(gone.pos[0], abs=1e-5)
    for options in (RenderOptions(), RenderOptions(contact_point=True, contact_past=False),
                    RenderOptions(contact_point=True, classic=True)):  # fmt: skip
        assert len(drawn(model, with_them, view, options, MeshId.CAPSULE, contact=-1)) == 0


def test_split_contact_arrows_add_up_in_two_colours() -> None:
    model, frame, view = moment([NORMAL, 6.0, 3.0, 0, 0, 0])
    options = RenderOptions(contact_force=True, contact_split=True)
    scale = scale_of(frame, view, options)
    heads = drawn(model, frame, view, options, MeshId.CONE, contact=-1)
    (normal,) = heads[np.isclose(shown(heads), FORCE, atol=1e-5).all(axis=1)]
    (friction,) = heads[np.isclose(shown(heads), FRICTION, atol=1e-5).all(axis=1)]
    for head, part in ((normal, (NORMAL, 0.0, 0.0)), (friction, (0.0, 6.0, 3.0))):
        tip = head["pos"] + head["scale"][2] * head["mat"].reshape(3, 3)[:, 2]
        np.testing.assert_allclose(tip, frame.contact_pos[0] + scale.length * np.array(part) @ TURN, atol=1e-5)
    assert legend_of(model, frame, view, options).split


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_a_cone_is_no_larger_than_the_smaller_of_its_geoms(cone: str) -> None:
    """Something light on something strongly pressed, or a coin under a robot: the arrows' scale is for the whole picture."""
    model, frame, view = moment([NORMAL, 4.0, 2.0, 0, 0, 0], cone=cone)
    model.geom_rbound[1] = 0.02
    options = RenderOptions(contact_force=True)
    assert scale_of(frame, view, options).length * NORMAL > 0.04
    # The ball where the force ends is in the plane of the cut.
    (ball,) = drawn(model, frame, view, options, MeshId.SPHERE)
    high = float((ball["pos"] - frame.contact_pos[0]) @ TURN[0])
    assert max(high, 2.0 * high * max(MU[:2])) == pytest.approx(0.04, rel=1e-3)
    rods = drawn(model, frame, view, options, MeshId.CAPSULE)
    assert np.ptp(rods["pos"], axis=0).max() <= 0.0401

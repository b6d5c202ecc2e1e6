"""Contacts in the picture: what discs and arrows say, and that they can be seen."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tumble.physics import ContactMode, MjData, MjModel, mj_forward, mj_step
from tumble.physics.query.force import forces_of
from tumble.render.camera import Camera, View, view_of
from tumble.render.constants import Category, MeshId
from tumble.render.frame import Frame
from tumble.render.options import RenderOptions, Selection
from tumble.render.scene.contact_legend import (
    LONGEST,
    OPEN,
    SLIP,
    STICK,
    SteadyScale,
    force_scale,
    height_at,
    legend,
    modes,
    nice,
)
from tumble.render.scene.scene import Scene

# A box that rests, one that slides, and a ball that no friction holds, all on one floor.
THREE = """<option cone="elliptic" timestep="0.002"/><worldbody><light pos="0 0 3"/>
<geom type="plane" size="5 5 1" friction="0.3"/>
<body pos="-1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" friction="0.3"/></body>
<body pos="1 0 .1"><freejoint/><geom size=".1" condim="1" priority="1"/></body></worldbody>"""
CAMERA = Camera(lookat=(0.0, 0.0, 0.2), distance=4.0, azimuth=90.0, elevation=-20.0)


def moment() -> tuple[Any, Frame, View]:
    """The three after a tenth of a second, the second of them pushed along."""
    model = MjModel.from_xml_string(f"<mujoco>{THREE}</mujoco>")
    data = MjData(model)
    data.qvel[6] = 2.0
    mj_step(model, data, 50)
    mj_forward(model, data)
    force = np.zeros((data.ncon, 6))
    forces_of(data, force)
    frame = Frame.from_data(data, force)
    return model, frame, view_of(CAMERA, model, frame, 4 / 3)


def decor(model: Any, frame: Frame, view: View, options: RenderOptions, mesh: MeshId) -> Any:
    part = Scene(model).build(frame, view, options, Selection())
    return part.instances[(part.category == Category.DECOR) & (part.mesh == mesh)]


def test_discs_say_what_each_contact_does() -> None:
    model, frame, view = moment()
    shown = modes(model, frame)
    place = np.round(frame.contact_pos[:, 0]).astype(int)
    for where, mode in ((place < 0, ContactMode.STICK), ((place >= 0) & (frame.contact_dim == 3), ContactMode.SLIP),
                        (frame.contact_dim == 1, ContactMode.SMOOTH)):  # fmt: skip
        assert set(shown[where]) == {int(mode)}
    discs = decor(model, frame, view, RenderOptions(contact_point=True), MeshId.CYLINDER)
    colour = discs["rgba"][:, :3] * (1.0 + discs["material"][:, :1])  # in full light
    np.testing.assert_allclose(colour[shown == int(ContactMode.SLIP)], np.tile(SLIP[:3], (4, 1)), rtol=1e-6)
    np.testing.assert_allclose(colour[shown == int(ContactMode.STICK)], np.tile(STICK[:3], (4, 1)), rtol=1e-6)


@pytest.mark.parametrize("distance", [0.3, 4.0, 400.0])
def test_a_disc_is_never_large_nor_too_small_to_be_seen(distance: float) -> None:
    model, frame, _ = moment()
    view = view_of(replace(CAMERA, distance=distance), model, frame, 4 / 3)
    discs = decor(model, frame, view, RenderOptions(contact_point=True), MeshId.CYLINDER)
    share = discs["scale"][:, 0] / height_at(view, frame.contact_pos)
    assert share.max() <= 0.0141
    assert share.min() >= 0.0039
    if distance < 1:  # what is near has discs by its own size
        assert discs["scale"][:, 0].max() <= 0.36 * 0.18


def test_the_strongest_force_in_view_is_a_third_of_the_picture() -> None:
    model, frame, view = moment()
    scale = force_scale(frame, view, RenderOptions(contact_force=True))
    assert scale is not None
    strength = np.linalg.norm(frame.contact_force[:, :3], axis=1)
    assert scale.newtons == pytest.approx(strength.max())
    strongest = int(np.argmax(strength))
    assert scale.length * strength.max() == pytest.approx(LONGEST * height_at(view, frame.contact_pos)[strongest])
    one = decor(model, frame, view, RenderOptions(contact_force=True), MeshId.CONE)
    two = decor(model, frame, view, RenderOptions(contact_force=True, contact_split=True), MeshId.CONE)
    assert len(one) == int((strength > 0).sum())
    assert len(two) > len(one)  # friction has arrows of its own
    away = replace(frame, contact_pos=frame.contact_pos + np.array([0.0, -100.0, 0.0]))
    assert force_scale(away, view, RenderOptions(contact_force=True)) is None


def test_the_legend_says_how_long_an_arrow_of_its_force_is() -> None:
    model, frame, view = moment()
    for size in (1.0, 2.5):
        options = RenderOptions(contact_point=True, contact_force=True, force_newtons=20.0, force_size=size)
        drawn_legend, scale = legend(model, frame, view, options), force_scale(frame, view, options)
        assert drawn_legend is not None
        assert scale is not None
        strongest = int(np.argmax(np.linalg.norm(frame.contact_force[:, :3], axis=1)))
        height = height_at(view, frame.contact_pos)[strongest]
        assert drawn_legend.share * height == pytest.approx(scale.length * drawn_legend.newtons)
        assert 0.05 < drawn_legend.share < 0.4
        assert [mode for mode, _ in drawn_legend.modes] == [ContactMode.STICK, ContactMode.SLIP, ContactMode.SMOOTH]
    assert legend(model, frame, view, replace(options, classic=True)) is None
    assert legend(model, frame, view, RenderOptions()) is None


def test_arrow_scale_grows_at_once_and_shrinks_later_in_steps() -> None:
    _, frame, view = moment()
    options, steady = RenderOptions(contact_force=True), SteadyScale()
    strength = np.linalg.norm(frame.contact_force[:, :3], axis=1).max()

    def at(newtons: float, now: float) -> float:
        return steady.follow(replace(frame, contact_force=frame.contact_force * (newtons / strength)), view, options, now)

    assert [at(17.0, 0.0), at(19.0, 0.1), at(21.0, 0.2), at(18.0, 0.3)] == [20.0, 20.0, 50.0, 50.0]
    assert [at(3.0, 1.0), at(3.0, 2.0), at(3.0, 2.6)] == [50.0, 50.0, 5.0]
    assert [at(1.0, 3.0), at(4.0, 4.0), at(1.0, 5.0)] == [5.0, 5.0, 5.0]  # in between it was not low
    assert [nice(x) for x in (0.011, 0.02, 1.0, 1.01, 7.0, 10.0)] == pytest.approx([0.02, 0.02, 1.0, 2.0, 10.0, 10.0])


def test_contacts_show_through_what_covers_them(load: Any, snap: Any) -> None:
    """Seen from above, the contacts of a large box lie under it, and yet colour the picture there."""
    model, data = load(
        """<worldbody><light pos="0 0 4"/><geom type="plane" size="2 2 1"/>
        <body pos="0 0 .3"><freejoint/><geom type="box" size=".5 .5 .3" rgba=".1 .1 .1 1"/></body></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.3), distance=4.0, azimuth=90.0, elevation=-85.0)
    without = snap(model, data, camera, RenderOptions(), size=(400, 300)).astype(int)
    shown = snap(model, data, camera, RenderOptions(contact_point=True), size=(400, 300)).astype(int)
    assert data.ncon == 4
    assert (abs(shown - without).max(axis=2) > 20).sum() > 100


@pytest.mark.parametrize("light", [0.0, 0.7, 2.0])
def test_discs_have_the_colour_of_the_legend_in_any_light(light: float, load: Any, snap: Any) -> None:
    """A ball seen from below, through a floor that is not drawn: its disc is in front of it, in the dark and in glaring light."""
    model, data = load(
        f"""<visual><headlight ambient="0 0 0" diffuse="{light} {light} {light}" specular="0 0 0"/></visual><worldbody>
        <geom type="plane" size="2 2 1" rgba="1 1 1 0"/>
        <body pos="0 0 .0999"><freejoint/><geom size=".1" rgba=".5 .5 .5 1"/></body></worldbody>"""
    )
    camera = Camera(lookat=(0.0, 0.0, 0.0), distance=1.0, azimuth=90.0, elevation=60.0)
    for force, colour in (([0.0] * 6, OPEN), ([9.81, 0, 0, 0, 0, 0], STICK), ([9.81, 9.81, 0, 0, 0, 0], SLIP)):
        picture = snap(model, data, camera, RenderOptions(contact_point=True), force=np.array([force]), size=(400, 300))
        assert picture[150, 200] / 255 == pytest.approx(colour[:3], abs=0.18)  # 0.8 to 1.2 of it

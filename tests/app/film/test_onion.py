"""Ghosts and trails in pictures without a window are where the model was, and the window orders those that it shows."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tumble import physics
from tumble.app.cli import render as command
from tumble.app.film.camera_path import Still
from tumble.app.film.export import Order, arguments
from tumble.app.film.offline import Free, Moments, Studio, Take
from tumble.app.film.onion import OnionSkins, SkinRecord
from tumble.render.camera import Camera
from tumble.render.frame import Frame

THROWN = """<mujoco><option gravity="0 0 -10"/><worldbody><body name="ball" pos="0 0 1"><freejoint/><geom size=".2"/></body>
</worldbody></mujoco>"""
SKINS = OnionSkins(4, 0.1, ((1, (0.0, 0.0, 0.05)),), 0.5)


def thrown():
    model = physics.MjModel.from_xml_string(THROWN)
    data = physics.MjData(model)
    data.qvel[0], data.qvel[2] = 1.5, 5.0
    return Free(model, data)


def test_ghosts_and_trails_are_on_the_path_that_led_to_the_picture():
    source = thrown()
    record = SkinRecord(source.model, SKINS)
    data = Moments(source, record=record).at(0.75)
    frame = record.over(Frame.from_data(data), 0.75)
    np.testing.assert_allclose([ghost.geom_xpos[0, 0] for ghost in frame.ghosts], 1.5 * np.array([0.4, 0.5, 0.6, 0.7]), atol=1e-6)
    (trail,) = frame.trails
    x, z = trail.points[:, 0], trail.points[:, 2]
    np.testing.assert_allclose(z, 1.05 + 5.0 * x / 1.5 - 5.0 * (x / 1.5) * (x / 1.5 + 0.002), atol=1e-6)
    assert (x.min() / 1.5, x.max() / 1.5) == pytest.approx((0.25, 0.75), abs=0.0021)
    assert trail.age[-1] == 0.0
    physics.mj_resetData(source.model, source.data)
    physics.mj_step(source.model, source.data)
    record.note(1.0, source.data)
    after = record.over(frame, 1.05)  # nothing of before the reset
    assert [ghost.geom_xpos[0].tolist() for ghost in after.ghosts] == [[0.0, 0.0, 1.0]]
    assert len(after.trails[0].points) == 2


def test_a_picture_has_them():
    pictures = []
    for skins in (OnionSkins(), SKINS):
        source = thrown()
        take = Take(96, 72, Fraction(30), 1.0, start=0.75, skins=skins)
        with Studio(source.model, take) as studio:
            data = Moments(source, record=studio.record).at(take.simulated(0))
            pictures.append(studio.picture(data, Still(Camera(lookat=(0.7, 0.0, 1.8), distance=4.0), 0.0), 0.0, 0.0).astype(int))
    changed = np.abs(pictures[0] - pictures[1])[:, :, :3].max(axis=2) > 10
    assert 0.005 < changed.mean() < 0.5


def test_the_window_orders_them_by_the_words_of_the_command():
    line = arguments(Order(Path("out.mp4"), 640, 480, skins=SKINS), 0.0, Path("."))
    options = command.parser().parse_args(line[1:])
    model = thrown().model
    trails = command._trails(model, options.trail)
    assert OnionSkins(options.ghosts, options.ghost_interval, trails, options.trail_seconds) == SKINS
    assert command._trails(model, ["ball", "1:1,-2,3e-1"]) == ((1, (0.0, 0.0, 0.0)), (1, (1.0, -2.0, 0.3)))
    with pytest.raises(command.InputError, match="not a point"):
        command._trails(model, ["ball:1,x,3"])

"""Poses between two moments, ghosts of the past and trails, against motions that are known."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from tests.physics.reference import load
from tumble import physics
from tumble.render.camera import Camera, view_of
from tumble.render.constants import MeshId
from tumble.render.frame import Frame, Trail
from tumble.render.options import RenderOptions, Selection
from tumble.render.scene.motion import OFTEN, PastPoses, between, moments_before, turned
from tumble.render.scene.scene import Scene

MODEL = """<mujoco><option gravity="0 0 -9.81"/><worldbody><geom type="plane" size="5 5 .1"/>
<body name="a" pos="0 0 2"><freejoint/><geom name="g" type="box" size=".1 .2 .3" pos=".5 0 0" euler="0 0 30"/>
<site name="s" pos="0 0 1"/><camera name="c" pos="0 1 0"/>
<body name="b" pos="0 1 0"><joint axis="1 0 0"/><geom size=".1" pos="0 0 .4"/></body></body>
<flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" pos="0 0 3" radius=".01" dim="2"/>
</worldbody></mujoco>"""


def posed(turn: float = 0.0, place: tuple[float, ...] = (0.0, 0.0, 2.0), hinge: float = 0.0, time: float = 0.0) -> Any:
    """The model and a frame of it: turned about z [rad]."""
    model, data = load(MODEL)
    data.qpos[:7] = (*place, np.cos(turn / 2), 0.0, 0.0, np.sin(turn / 2))
    data.qpos[7] = hinge
    data.time = time
    physics.mj_forward(model, data)
    return model, Frame.from_data(data)


def test_interpolated_poses_are_rigid_and_exact_at_steps() -> None:
    model, first = posed(time=1.0)
    _, second = posed(turn=np.pi / 2, place=(0.2, 0.0, 2.4), hinge=0.6, time=1.002)
    _, half_turned = posed(turn=np.pi / 4, place=(0.1, 0.0, 2.2))
    half = between(model, first, second, 0.5)
    assert half.time == pytest.approx(1.001)
    for pos, mat, body_of in (("xpos", "xmat", 0), ("geom_xpos", "geom_xmat", 1), ("site_xpos", "site_xmat", 0)):
        at = 1 if pos != "site_xpos" else body_of
        np.testing.assert_allclose(getattr(half, pos)[at], getattr(half_turned, pos)[at], atol=1e-12)
        np.testing.assert_allclose(getattr(half, mat)[at], getattr(half_turned, mat)[at], atol=1e-12)
    for share in (0.1, 0.37, 0.93):
        pose = between(model, first, second, share)
        for g, b in enumerate(np.asarray(model.geom_bodyid)):
            turn = pose.xmat[b].reshape(3, 3)
            np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
            before = first.xmat[b].reshape(3, 3).T @ (first.geom_xpos[g] - first.xpos[b])
            np.testing.assert_allclose(turn.T @ (pose.geom_xpos[g] - pose.xpos[b]), before, atol=1e-12)
        np.testing.assert_allclose(pose.flexvert_xpos, first.flexvert_xpos + share * (second.flexvert_xpos - first.flexvert_xpos))
    assert between(model, first, second, 0.0) is first  # exact at the steps
    assert between(model, first, second, 1.0) is second
    np.testing.assert_allclose(between(model, first, second, 1.0 - 1e-9).geom_xmat, second.geom_xmat, atol=1e-8)


def test_turns_take_the_short_way_and_half_turns_any() -> None:
    rng = np.random.default_rng(0)
    axes = np.linalg.qr(rng.normal(size=(40, 3, 3)))[0]
    axes *= np.linalg.det(axes)[:, None, None]
    angle = np.concatenate([rng.uniform(-3.1, 3.1, 36), [0.0, 1e-9, np.pi, np.pi - 1e-9]])
    c, s, one, zero = np.cos(angle), np.sin(angle), np.ones(40), np.zeros(40)
    about_z = np.stack([c, -s, zero, s, c, zero, zero, zero, one], axis=1).reshape(-1, 3, 3)
    second = axes @ about_z
    np.testing.assert_allclose(turned(axes, second, 1.0), second, atol=1e-7)
    third = turned(axes, second, 1.0 / 3.0)
    np.testing.assert_allclose(third @ third.transpose(0, 2, 1), np.broadcast_to(np.eye(3), (40, 3, 3)), atol=1e-12)
    again = turned(third, second, 0.5)
    np.testing.assert_allclose(turned(again, second, 1.0), second, atol=1e-7)
    gone = np.arccos(np.clip(0.5 * (np.einsum("nij,nij->n", axes, third) - 1.0), -1.0, 1.0))
    np.testing.assert_allclose(gone, np.abs(angle) / 3.0, atol=1e-6)


def test_ghosts_stand_at_equal_intervals_where_the_model_was() -> None:
    _, frame = posed()
    poses = PastPoses()
    for k in range(201):  # 0.01 s apart, on a parabola
        time = 0.01 * k
        shift = np.array([1.5 * time, 0.0, 5.0 * time - 4.905 * time * time])
        poses.note(time, replace(frame, geom_xpos=frame.geom_xpos + shift))
    assert len(poses) <= 2.0 / OFTEN + 2  # not each
    times = moments_before(2.0, 6, 0.25)
    assert times == pytest.approx([0.5, 0.75, 1.0, 1.25, 1.5, 1.75])  # before the present, which is itself seen
    ghosts = poses.ghosts(times)
    assert len(ghosts) == 6
    for ghost, time in zip(ghosts, times, strict=True):
        expected = frame.geom_xpos + np.array([1.5 * time, 0.0, 5.0 * time - 4.905 * time * time])
        np.testing.assert_allclose(ghost.geom_xpos, expected, atol=2e-3)  # straight lines between poses 0.03 s apart
    strengths = [ghost.strength for ghost in ghosts]
    assert strengths == sorted(strengths)
    assert strengths[-1] == 1.0
    assert moments_before(2.1, 6, 0.25)[:-1] == pytest.approx(times[1:])  # they stay where they are while time goes on
    poses.cut(1.1)
    assert len(poses.ghosts(times)) == 3
    poses.clear()
    assert poses.ghosts(times) == ()


def test_trails_fade_with_age_face_the_eye_and_end_in_gaps() -> None:
    model, frame = posed()
    view = view_of(Camera(lookat=(0, 0, 1), distance=5.0), model, frame, 1.0)
    points = np.stack([np.linspace(-1, 1, 21), np.zeros(21), np.linspace(1, 2, 21)], axis=1)
    points[10] = np.nan
    trail = Trail(points, np.linspace(1.0, 0.0, 21), (1.0, 0.5, 0.0))

    def lines(trails: tuple[Trail, ...]) -> Any:
        drawn = Scene(model).build(replace(frame, trails=trails), view, RenderOptions(), Selection())
        return drawn.instances[len(drawn) - 18 * len(trails) :], drawn.mesh[len(drawn) - 18 * len(trails) :]

    rows, mesh = lines((trail,))
    assert np.all(mesh == int(MeshId.BOX))
    assert np.all(np.diff(rows["rgba"][:, 3]) > 0)
    assert np.isfinite(rows["pos"]).all()
    across = rows["mat"].reshape(-1, 3, 3)[:, :, 0]  # the ribbon's wide side
    assert np.abs(np.einsum("ni,ni->n", across, view.eye - rows["pos"])).max() < 1e-5
    assert not set(map(float, lines(())[0]["rgba"][:, 3])) & set(map(float, rows["rgba"][:, 3]))  # and none without

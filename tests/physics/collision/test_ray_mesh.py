"""Rays into meshes: against all triangles one by one, without leaks, and against the reference."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tumble import physics

ROD = "0 0 0 4 0 0 0 1 0 0 0 .5 4 1 .5"


def bumpy(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """A closed surface about the origin, open at its poles: vertices and triangles, their corners anticlockwise from outside."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, rings, endpoint=False), np.linspace(0.05, np.pi - 0.05, rings))
    unit = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), np.cos(v)], axis=-1)
    vert = (unit * (1 + 0.2 * np.sin(3 * u) * np.sin(2 * v))[..., None]).reshape(-1, 3)
    i = np.arange(rings * rings).reshape(rings, rings)
    a, b, c, e = i[:-1], np.roll(i, -1, 1)[:-1], i[1:], np.roll(i, -1, 1)[1:]
    return vert, np.concatenate([np.stack([a, c, b], -1).reshape(-1, 3), np.stack([b, c, e], -1).reshape(-1, 3)])


def scene(vert: np.ndarray, face: np.ndarray, more: str = "") -> str:
    """A mesh of one geom, which stands where its vertices say."""
    numbers = " ".join(f"{x:.9g}" for x in vert.ravel())
    corners = " ".join(map(str, face.ravel()))
    return f"""<mujoco><asset><mesh name="bumpy" inertia="shell" vertex="{numbers}" face="{corners}"/>
        <mesh name="rod" vertex="{ROD}" scale="-.2 .3 .4"/></asset>
        <worldbody><geom type="mesh" mesh="bumpy"/>{more}</worldbody></mujoco>"""


def all_hits(corners: np.ndarray, p: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The distances at which a ray meets triangles, (n, 3, 3), each solved on its own."""
    matrix = np.stack([corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], np.broadcast_to(-v, (len(corners), 3))], -1)
    x, y, t = np.linalg.solve(matrix, (p - corners[:, 0])[..., None])[..., 0].T
    return t[(x >= 0) & (y >= 0) & (x + y <= 1) & (t >= 0)]


def test_a_ray_meets_the_nearest_of_all_triangles_from_inside_and_outside() -> None:
    vert, face = bumpy(24)
    m = physics.MjModel.from_xml_string(scene(vert, face))
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    placed = m.mesh_vert[m.mesh_face].astype(float) @ d.geom_xmat.reshape(3, 3).T + d.geom_xpos[0]
    rng, normal = np.random.default_rng(0), np.zeros(3)
    met = 0
    for k in range(200):
        p, v = rng.normal(size=3) * (0.3, 2)[k % 2], rng.normal(size=3)
        hits = all_hits(placed, p, v)
        t = physics.mj_ray(m, d, p, v, normal=normal)
        assert t == pytest.approx(hits.min() if len(hits) else -1, abs=1e-9)
        met += len(hits) > 0
        if k % 2 == 0 and t >= 0:
            assert normal @ v > 0  # from inside it leaves along the outward normal
    assert 100 < met < 200


def test_no_ray_slips_through_edges_and_corners() -> None:
    """From inside a closed box, whose tree has boxes without thickness, to all points of a grid on it."""
    corners = " ".join(f"{x} {y} {z}" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
    world = '<worldbody><geom type="mesh" mesh="box"/></worldbody>'
    m = physics.MjModel.from_xml_string(f'<mujoco><asset><mesh name="box" vertex="{corners}"/></asset>{world}</mujoco>')
    d = physics.MjData(m)
    physics.mj_forward(m, d)
    for start in ((0, 0, 0), (0.5, 0.25, -0.5), (-0.5, 0, 0)):
        for point in np.array(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3)).reshape(3, -1).T:
            along = point - start
            if np.abs(point).max() == 1 and along.any():
                assert 0 <= physics.mj_ray(m, d, start, along) <= 1 + 1e-6  # the mesh's frame is turned in 32 bits


def test_rays_and_rangefinders_are_those_of_the_reference() -> None:
    vert, face = bumpy(20)
    sensors = '<rangefinder site="s" data="dist point normal"/><rangefinder camera="c" data="dist normal"/>'
    text = scene(vert, face, """
        <geom type="mesh" mesh="rod" pos="2 0 0" euler="10 20 30"/><geom type="mesh" mesh="rod" pos="-2 0 0" rgba="1 1 1 0"/>
        <geom type="box" mesh="rod" pos="0 2 0" euler="50 0 0" group="1"/><geom type="plane" size="5 5 1" pos="0 0 -3"/>
        <site name="s" pos=".1 .2 0" euler="20 0 0"/><camera name="c" pos="1 2 3" xyaxes="2 -1 0 1 2 -3" resolution="6 5"/>""")
    text = text.replace("</mujoco>", f"<sensor>{sensors}</sensor></mujoco>")
    m, rm = physics.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    d, rd = physics.MjData(m), mujoco.MjData(rm)
    physics.mj_forward(m, d)
    mujoco.mj_forward(rm, rd)
    np.testing.assert_allclose(d.sensordata, rd.sensordata, atol=1e-6)  # the reference's vertices have 32 bits
    rng, ids, normals, seen = np.random.default_rng(1), np.zeros((2, 1), np.int32), np.zeros((2, 3)), set()
    for _ in range(300):
        p = 3 * rng.normal(size=3)
        v = rd.geom_xpos[rng.integers(rm.ngeom)] + 0.2 * rng.normal(size=3) - p
        groups = None if rng.random() < 0.5 else rng.integers(0, 2, 6).astype(np.uint8)
        theirs = mujoco.mj_ray(rm, rd, p, v, groups, 1, -1, ids[0], normals[0])
        assert physics.mj_ray(m, d, p, v, groups, 1, -1, ids[1], normals[1]) == pytest.approx(theirs, abs=1e-6)
        assert ids[0] == ids[1]
        np.testing.assert_allclose(normals[1], normals[0], atol=1e-4)
        seen.add(int(ids[0, 0]))
    assert seen == {-1, 0, 1, 3, 4}

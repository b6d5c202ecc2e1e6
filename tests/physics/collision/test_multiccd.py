"""Several points of contact of convex geoms: faces, edges and ends that lie on each other (flag multiccd)."""

import mujoco
import numpy as np
import pytest

from tests.physics.collision.scenes import Twins

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.2
WEDGE = np.array([[-2, 0, -1], [2, 0, -1], [-2, -1.5, 1], [2, -1.5, 1], [-2, 1.5, 1], [2, 1.5, 1]]) * 0.1
MESHES = "".join(f'<mesh name="{name}" vertex="{" ".join(map(str, points.ravel()))}"/>'
                 for name, points in (("cube", CUBE), ("wedge", WEDGE)))  # fmt: skip
SHAPES = {"box": 'type="box" size=".2 .15 .1"', "cylinder": 'type="cylinder" size=".15 .1"',
          "capsule": 'type="capsule" size=".1 .2"', "ellipsoid": 'type="ellipsoid" size=".2 .15 .1"',
          "cube": 'type="mesh" mesh="cube"', "wedge": 'type="mesh" mesh="wedge"'}  # fmt: skip
HEIGHT = {"box": 0.1, "cylinder": 0.1, "capsule": 0.1, "ellipsoid": 0.1, "cube": 0.2}  # half, as they stand below
UP = np.array([1.0, 0, 0, 0])
LYING = np.array([0.5**0.5, 0, 0.5**0.5, 0])  # a capsule's axis is z: turned to x
ON = 'multiccd="enable"'
OLDER = f'{ON} nativeccd="disable"'


def two(first: str, second: str, flag: str = ON, margin: float = 0.0) -> Twins:
    """Two free bodies, of the geoms in SHAPES."""
    bodies = "".join(f'<body><freejoint/><geom {SHAPES[kind]} margin="{margin / 2}"/></body>' for kind in (first, second))
    return Twins(mujoco.MjModel.from_xml_string(f"""<mujoco><option><flag {flag}/></option><asset>{MESHES}</asset>
        <worldbody>{bodies}</worldbody></mujoco>"""))


def product(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    result = np.zeros(4)
    mujoco.mju_mulQuat(result, p, q)
    return result


def about(axis: list[float] | np.ndarray, angle: float) -> np.ndarray:
    return np.r_[np.cos(angle / 2), np.sin(angle / 2) * np.asarray(axis) / np.linalg.norm(axis)]


def put_on(twins: Twins, below: str, above: str, turn: np.ndarray, offset: tuple[float, float], depth: float = 1e-3) -> None:
    """Stand one geom on the other."""
    poses = [LYING if kind == "capsule" else UP for kind in (below, above)]
    twins.place([0, 0, 0], poses[0], [*offset, HEIGHT[below] + HEIGHT[above] - depth], product(turn, poses[1]))
    twins.run()


@pytest.mark.parametrize("flag", [ON, OLDER], ids=["native", "older"])
@pytest.mark.parametrize("margin", [0.0, 0.02])
@pytest.mark.parametrize(("below", "above", "points"), [
    ("box", "cylinder", 5), ("cube", "cylinder", 5), ("cylinder", "cylinder", 5), ("cube", "capsule", 3),
    ("cylinder", "capsule", 3), ("cube", "ellipsoid", 1), ("cylinder", "ellipsoid", 1),
])  # fmt: skip
# Along a line the ends are two, and the others where the search ends: 3 to 5 points.
def test_round_ends_and_sides_have_reference_contact_count(flag, margin, below, above, points):
    twins = two(below, above, flag, margin)
    put_on(twins, below, above, about([0, 0, 1], 0.3), (0.03, 0.02))
    assert twins.d.ncon == twins.rd.ncon
    assert points <= twins.d.ncon <= (5 if above == "capsule" else points)
    np.testing.assert_allclose(twins.d.contact.dist, twins.rd.contact.dist, atol=1e-6)
    np.testing.assert_allclose(twins.d.contact.dist, twins.d.contact.dist[0])


@pytest.mark.parametrize(("below", "above"), [("box", "cube"), ("cube", "cube"), ("cube", "cylinder"), ("cube", "capsule"),
                                              ("cylinder", "cylinder"), ("box", "cylinder")])  # fmt: skip
@pytest.mark.parametrize("margin", [0.0, 0.02])
def test_slightly_tilted_geoms_match_reference_first_point(below, above, margin):
    """Its depth and normal: the others' are the same in the reference, and here of their own where faces are known."""
    twins, rng = two(below, above, margin=margin), np.random.default_rng(4)
    counts, errors = [], []
    for _ in range(60):
        axis, angle = [*rng.normal(size=2), 0], 10 ** rng.uniform(-4, -3.2 if margin == 0 else -2)
        put_on(twins, below, above, product(about(axis, angle), about([0, 0, 1], rng.uniform(0, 0.2))), rng.uniform(-0.1, 0.1, 2))
        counts.append(twins.d.ncon == twins.rd.ncon)
        if counts[-1] and twins.d.ncon:
            ours, theirs = twins.d.contact, twins.rd.contact
            errors.append(max(abs(ours.dist.min() - theirs.dist.min()), 0.01 * np.abs(ours.frame[0] - theirs.frame[0]).max()))
    assert np.mean(counts) > 0.98
    assert np.mean(np.array(errors) < 1e-6) > 0.9  # of a cylinder's rim, which point is lowest is found to the tolerance


@pytest.mark.parametrize("order", [("cube", "wedge"), ("wedge", "cube"), ("box", "wedge")])
@pytest.mark.parametrize("tilt", [0.0, 1e-3, 3e-3])
def test_an_edge_that_lies_in_a_face_touches_at_two_points(order, tilt):
    """Up to 1.6 mrad, as in the reference; there a tilted edge has one point or two, whichever its search ended at."""
    twins, face = two(*order), next(kind for kind in order if kind != "wedge")
    turn = product(about([0, 0, 1], 0.4), product(about([0, 1, 0], tilt), about([1, 0, 0], 0.2)))
    ends = []
    for x in (-0.2, 0.2):
        end = np.zeros(3)
        mujoco.mju_rotVecQuat(end, np.array([x, 0, -0.1]), turn)
        ends.append(end)
    place = [0.02, 0.01, HEIGHT[face] - 1e-3 - min(end[2] for end in ends)]
    standing, lying = (place, turn), ([0, 0, 0], UP)
    twins.place(*(standing if order[0] == "wedge" else lying), *(lying if order[0] == "wedge" else standing))
    twins.run()
    assert twins.d.ncon == (2 if tilt < 1.6e-3 else 1)
    assert tilt == 1e-3 or twins.rd.ncon == twins.d.ncon
    rise = 0.4 * np.sin(tilt)
    np.testing.assert_allclose(np.sort(twins.d.contact.dist), [-1e-3, rise - 1e-3][: twins.d.ncon], atol=1e-6)
    if tilt == 0.0:
        ours, theirs = (c.pos[np.argsort(c.pos[:, 0])] for c in (twins.d.contact, twins.rd.contact))
        np.testing.assert_allclose(ours[:, :2], theirs[:, :2], atol=1e-6)
        # Midway between edge and face; the reference has it on the other side of the edge where that is of geom1.
        np.testing.assert_allclose(ours[:, 2], HEIGHT[face] - 0.5e-3, atol=1e-6)
        assert order[0] == "wedge" or np.abs(ours - theirs).max() < 1e-6


@pytest.mark.parametrize("flag", [ON, OLDER], ids=["native", "older"])
def test_multiccd_perturbation_restores_poses_exactly(flag):
    twins = two("cube", "cylinder", flag)
    put_on(twins, "cube", "cylinder", about([1, 2, 3], 1e-3), (0.03, 0.02))
    assert twins.d.ncon > 1
    np.testing.assert_array_equal(twins.d.geom_xpos, twins.rd.geom_xpos)
    np.testing.assert_array_equal(twins.d.geom_xmat, twins.rd.geom_xmat)


def test_the_four_of_many_corners_span_most_of_what_is_common():
    """A cube turned on a cube: of the eight corners of the octagon four are kept. The reference keeps some that span a fifth."""
    twins, side = two("cube", "cube"), 0.4
    for angle in np.linspace(0.1, 1.5, 30):
        put_on(twins, "cube", "cube", about([0, 0, 1], angle), (0, 0))
        assert twins.d.ncon == twins.rd.ncon == 4
        x, y = twins.d.contact.pos[np.argsort(np.arctan2(*twins.d.contact.pos[:, 1::-1].T)), :2].T
        area = 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))
        assert area > 0.6 * 2 * side**2 / (1 + np.sin(angle) + np.cos(angle))  # at 45 degrees no four span more than 0.71

"""The contact sensor: which contacts it tells of, in which order and direction, and their sum; and against the reference."""

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, posed, put_state, twins
from tumble import physics

DATA = ("found", "force", "torque", "dist", "pos", "normal", "tangent")
REDUCTIONS = ("none", "mindist", "maxforce", "netforce")
SITES = """
  <site name="s0" size=".3"/><site name="s1" type="capsule" size=".2 .1"/><site name="s2" type="ellipsoid" size=".3 .2 .25"/>
  <site name="s3" type="cylinder" size=".2 .1"/><site name="s4" type="box" size=".3 .1 .2"/>
"""
_NAMED = {"geom": ("floor", *(f"g{i}" for i in range(12))), "body": ("world", *(f"b{i}" for i in range(12)))}
_NAMED["subtree"] = _NAMED["body"]


def sensors(rng: np.random.Generator, count: int) -> str:
    """Contact sensors of random sides, slots and data."""
    lines = []
    for _ in range(count):
        first = _side(rng, "1") if rng.random() < 0.7 else f'site="s{rng.integers(5)}"'
        data = [word for word in DATA if rng.random() < 0.7] or ["found"]
        lines.append(f'<contact {first} {_side(rng, "2")} num="{rng.integers(1, 12)}" reduce="{rng.choice(REDUCTIONS)}" '
                     f'data="{" ".join(data)}"/>')  # fmt: skip
    return "".join(lines)


def _side(rng: np.random.Generator, end: str) -> str:
    kind = str(rng.choice(["geom", "body", "subtree", ""]))
    return f'{kind}{end}="{rng.choice(_NAMED[kind])}"' if kind else ""


def scene(seed: int, sensor: str, gap: float = 0.0) -> str:
    """Spheres and boxes in a heap, each with an arm that swings."""
    rng = np.random.default_rng(seed)
    bodies = ""
    for i in range(0, 12, 2):
        at = " ".join(map(str, (*rng.uniform(-0.3, 0.3, 2), rng.uniform(0.05, 0.3))))
        kinds = rng.choice(["box", "sphere", "capsule"], 2)
        bodies += f"""<body name="b{i}" pos="{at}"><freejoint/><geom name="g{i}" type="{kinds[0]}" size=".1 .08 .06"/>
          <body name="b{i + 1}" pos=".1 .1 0"><joint/><geom name="g{i + 1}" type="{kinds[1]}" size=".1 .08 .06" pos=".1 0 0"/>
          </body></body>"""
    cone, condim = rng.choice(["elliptic", "pyramidal"]), rng.choice([1, 3, 4, 6])
    return f"""<mujoco><option cone="{cone}" tolerance="1e-14" iterations="200"/>
      <default><geom condim="{condim}" margin="{gap}" gap="{gap}"/></default>
      <worldbody><geom name="floor" type="plane" size="5 5 1"/>{SITES}{bodies}</worldbody>
      <sensor>{sensor}</sensor></mujoco>"""


ALL = f'data="{" ".join(DATA)}"'
WIDTH = 17
STACK = """<mujoco><option cone="elliptic" tolerance="1e-12"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body name="low" pos="0 0 .1"><freejoint/><geom name="low" type="box" size=".1 .1 .1"/></body>
  <body name="high" pos=".02 0 .3"><freejoint/><geom name="high" type="box" size=".1 .1 .1"/></body></worldbody>
  <sensor>{sensors}</sensor></mujoco>"""


def rest(sensors: str, steps: int = 400) -> tuple[physics.MjModel, physics.MjData]:
    m, d = load(STACK.format(sensors=sensors))
    physics.mj_step(m, d, steps)
    physics.mj_forward(m, d)
    return m, d


def slots(m: physics.MjModel, d: physics.MjData, s: int = 0) -> np.ndarray:
    """The slots of a sensor that gives all data, (num, 17)."""
    return d.sensordata[m.sensor_adr[s] : m.sensor_adr[s] + m.sensor_dim[s]].reshape(-1, WIDTH).copy()


def test_readings_are_those_of_the_reference() -> None:
    """Of the same contacts: those of boxes that are apart by less than a margin differ (docs/decisions/differences.md)."""
    nonzero = other = 0
    for seed in range(8):
        xml = scene(seed, sensors(np.random.default_rng(seed), 30), 0.05 * (seed % 2))
        rm, rd, m, d = twins(xml)
        for name in ("objtype", "objid", "reftype", "refid", "intprm", "dim", "adr", "needstage", "datatype"):
            np.testing.assert_array_equal(getattr(m, f"sensor_{name}"), getattr(rm, f"sensor_{name}"), name)
        for _ in range(3):
            mujoco.mj_step(rm, rd, 10)
            mujoco.mj_forward(rm, rd)
            put_state(d, rd)
            physics.mj_forward(m, d)
            if seed % 2 and (d.ncon != rd.ncon or np.abs(d.contact.dist - rd.contact.dist).max() > 1e-9):
                other += 1
                continue
            # both solvers iterate until nothing changes: what is left is rounding of forces of this size
            scale = 1 + np.abs(rd.efc_force).max(initial=0)
            np.testing.assert_allclose(d.sensordata / scale, rd.sensordata / scale, 0, 1e-9)
            nonzero += np.count_nonzero(rd.sensordata)
    assert nonzero > 2000
    assert other <= 6  # of 12 within a margin


def test_what_is_told_points_from_the_first_side_to_the_second() -> None:
    """Newton's third law: the sides exchanged, the force is the opposite, at the same points."""
    m, d = rest(f'<contact geom1="low" geom2="high" num="4" {ALL}/><contact geom1="high" geom2="low" num="4" {ALL}/>')
    there, back = slots(m, d, 0), slots(m, d, 1)
    assert (there[:, 0] == 4).all()
    np.testing.assert_array_equal(there[:, 7:11], back[:, 7:11])  # distance and point
    np.testing.assert_array_equal(there[:, 11:], -back[:, 11:])
    assert (there[:, 13] > 0.99).all()  # from the low box up to the high one
    forces = [np.array([_frame(slot).T @ slot[1:4] for slot in view]) for view in (there, back)]
    np.testing.assert_allclose(forces[0], -forces[1], atol=1e-12)
    np.testing.assert_allclose(forces[0].sum(axis=0), (0, 0, 9.81 * m.body_mass[2]), atol=1e-3)  # it carries the other's weight


def _frame(slot: np.ndarray) -> np.ndarray:
    """The axes of a contact by rows."""
    return np.array([slot[11:14], slot[14:17], np.cross(slot[11:14], slot[14:17])])


def test_netforce_contact_sums_forces_and_moments() -> None:
    net = f'<contact subtree1="world" geom2="low" num="3" reduce="netforce" {ALL}/>'
    m, d = rest(f'{net}<contact geom2="low" num="9" {ALL}/>', 60)
    net, each = slots(m, d, 0), slots(m, d, 1)
    assert (net[1:] == 0).all()  # one contact, however many slots
    assert net[0, 0] == each[0, 0] == 8
    np.testing.assert_array_equal(net[0, [7, *range(11, 17)]], (0, 1, 0, 0, 0, 1, 0))  # in global axes
    force, moment = np.zeros(3), np.zeros(3)
    for slot in each[:8]:
        axes = _frame(slot)
        force += axes.T @ slot[1:4]
        moment += axes.T @ slot[4:7] + np.cross(slot[8:11], axes.T @ slot[1:4])
    np.testing.assert_allclose(net[0, 1:4], force, atol=1e-9)
    np.testing.assert_allclose(net[0, 4:7] + np.cross(net[0, 8:11], net[0, 1:4]), moment, atol=1e-9)
    weights = np.linalg.norm(each[:8, 1:4], axis=1)
    np.testing.assert_allclose(net[0, 8:11], weights @ each[:8, 8:11] / weights.sum(), atol=1e-12)


@pytest.mark.parametrize(("reduction", "column", "sign"), [("mindist", 7, 1), ("maxforce", None, -1)])
def test_contact_sensor_sorts_by_reduction_and_zeroes_the_rest(reduction: str, column: int, sign: int) -> None:
    asked = ((11, reduction), (11, "none"), (3, reduction))
    m, d = rest("".join(f'<contact num="{num}" reduce="{reduce}" {ALL}/>' for num, reduce in asked))
    sorted_, all_, few = (slots(m, d, s) for s in range(3))
    assert (sorted_[8:] == 0).all()
    key = [np.linalg.norm(view[:8, 1:4], axis=1) if column is None else view[:8, column] for view in (sorted_, all_)]
    assert (np.diff(sign * key[0]) >= 0).all()
    np.testing.assert_array_equal(np.sort(key[0]), np.sort(key[1]))
    np.testing.assert_array_equal(few, sorted_[:3])  # whose `found` counts the matches, not the slots


def test_contact_sensor_without_match_is_zero_but_net_axes() -> None:
    m, d = rest(f'<contact geom1="floor" geom2="high" {ALL}/><contact geom1="floor" geom2="high" reduce="netforce" {ALL}/>', 5)
    assert (slots(m, d, 0) == 0).all()
    np.testing.assert_array_equal(np.flatnonzero(slots(m, d, 1)), (11, 15))


def test_many_contacts_are_sorted_as_by_a_stable_sort() -> None:
    """Equal distances keep the order of the contacts."""
    places = [f"{i % 7} {i // 7} {0.1 - 0.001 * (i % 3)}" for i in range(35)]
    balls = "".join(f'<body pos="{place}"><freejoint/><geom size=".1"/></body>' for place in places)
    _, d = posed(f"""<mujoco><worldbody><geom type="plane" size="9 9 1"/>{balls}</worldbody>
      <sensor><contact num="20" reduce="mindist" data="dist pos"/></sensor></mujoco>""")
    order = np.argsort(d.contact.dist, kind="stable")[:20]
    expected = np.column_stack([d.contact.dist[order], d.contact.pos[order]])
    np.testing.assert_array_equal(d.sensordata.reshape(20, 4), expected)

"""Which pairs of geoms make contacts, and in which order: generated scenes, list, sweep and trees against the reference."""

from itertools import combinations_with_replacement

import mujoco
import numpy as np
import pytest

from tests.physics.reference import load, posed, twins
from tumble import physics
from tumble.physics.collision.dispatch import COLLIDERS, NEVER
from tumble.physics.state.enums import mjtGeom

Pairs = list[tuple[int, int]]


class Scenery:
    """A scene by the number: trees with welded bodies, joints and mocap bodies, masks, margins and gaps."""

    def __init__(self, seed: int, bodies: int, most: int, spread: float, static: int) -> None:
        """most: geoms that a body may have; spread: standard deviation of places [m]; static: geoms of the world."""
        self.rng = np.random.default_rng(seed)
        self.bodies, self.most, self.spread = bodies, most, spread
        self.geoms = self.made = 0
        self.world = '<geom type="plane" size="1 1 1" pos="0 0 -.3"/>' + "".join(self.geom() for _ in range(static))
        while self.made < bodies:
            self.world += self.body(0)

    def geom(self) -> str:
        kind, place = self.rng.choice(["sphere", "box", "capsule"]), self.spread * self.rng.normal(size=3)
        size, turn = self.rng.uniform(0.05, 0.2, 3), self.rng.integers(0, 90, 2)
        more = ' contype="{}" conaffinity="{}"'.format(*self.rng.integers(0, 4, 2)) if self.rng.random() < 0.3 else ""
        if self.rng.random() < 0.4:
            more += f' margin="{0.2 * self.rng.random():.3f}" gap="{0.1 * self.rng.random():.3f}"'
        self.geoms += 1
        return (f'<geom name="g{self.geoms - 1}" type="{kind}" size="{size[0]:.3f} {size[1]:.3f} {size[2]:.3f}" '
                f'pos="{place[0]:.3f} {place[1]:.3f} {place[2]:.3f}" euler="{turn[0]} {turn[1]} 0"{more}/>')  # fmt: skip

    def body(self, depth: int) -> str:
        place, chance = self.spread * self.rng.normal(size=3) * (1 if depth == 0 else 0.5), self.rng.random()
        joint = "<freejoint/>" if depth == 0 and 0.2 < chance < 0.6 else '<joint axis="0 1 0"/>' if 0.6 < chance < 0.75 else ""
        mocap = ' mocap="true"' if depth == 0 and chance < 0.2 else ""
        text = f'<body name="b{self.made}" pos="{place[0]:.3f} {place[1]:.3f} {place[2]:.3f}"{mocap}>{joint}'
        self.made += 1
        text += '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        text += "".join(self.geom() for _ in range(self.rng.integers(0, self.most + 1)))
        for _ in range(self.rng.integers(0, 3) if depth < 3 else 0):
            if self.made < self.bodies:
                text += self.body(depth + 1)
        return text + "</body>"

    def contact(self) -> str:
        """Three bodies that leave each other alone, and six pairs that are named."""
        text = ""
        for k in self.rng.choice(self.bodies // 2, 3, replace=False):
            text += f'<exclude body1="b{2 * k}" body2="b{2 * k + 1}"/>'
        for k in self.rng.choice(self.geoms // 2, 6, replace=False):
            margin, gap = 0.2 * self.rng.random(), 0.1 * self.rng.random()
            text += f'<pair geom1="g{2 * k + 1}" geom2="g{2 * k}" margin="{margin:.3f}" gap="{gap:.3f}"/>'
        return text

    def text(self, option: str) -> str:
        return f"<mujoco><option>{option}</option><worldbody>{self.world}</worldbody><contact>{self.contact()}</contact></mujoco>"


def in_order(geoms: np.ndarray) -> Pairs:
    """The pairs of geoms of contacts as they come, each once."""
    rows = [tuple(pair) for pair in np.reshape(geoms, (-1, 2)).tolist()]
    return [pair for k, pair in enumerate(rows) if k == 0 or rows[k - 1] != pair]


def both(text: str, seed: int) -> tuple[Pairs, Pairs, physics.MjModel]:
    """The pairs of the reference and ours after everything that can move was moved."""
    rm, rd, m, d = twins(text)
    rng = np.random.default_rng(seed)
    d.qpos[:] = rd.qpos + 0.1 * rng.normal(size=rm.nq)
    d.mocap_pos[:] = rd.mocap_pos + 0.1 * rng.normal(size=rd.mocap_pos.shape)
    rd.qpos[:], rd.mocap_pos[:] = d.qpos, d.mocap_pos
    for engine, model, data in ((mujoco, rm, rd), (physics, m, d)):
        engine.mj_kinematics(model, data)  # not mj_forward: the reference's does not bear contacts of static bodies
        engine.mj_collision(model, data)
    return in_order(rd.contact.geom), in_order(d.contact.geom), m


# Few geoms, whose pairs are listed; bodies of many geoms; a crowd; a world of many geoms.
SIZES = {"listed": (12, 4, 0.4, 5), "bodies": (10, 60, 0.8, 20), "crowd": (100, 2, 1.5, 5), "world": (100, 2, 1.8, 400)}
FLAGS = ("", '<flag midphase="disable"/>', '<flag filterparent="disable"/>', '<flag override="enable"/>')


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("kind", SIZES)
def test_pairs_and_their_order_are_the_references(kind: str, flags: str) -> None:
    total = 0
    for seed in range(4 if kind == "listed" else 2):
        scene = Scenery(seed, *SIZES[kind])
        text = scene.text(flags).replace("<option>", '<option o_margin=".05">')
        theirs, ours, m = both(text, seed)
        assert ours == theirs
        assert (m.collide_nactive >= 0) == (kind == "listed")
        total += len(ours)
    assert total > 15


def test_contacts_of_sleeping_slabs_match_reference_on_waking() -> None:
    """Slabs of many geoms rest on tiles and sleep; then one is thrown at another: list, trees and sleep together."""
    tiles = "".join(f'<geom type="box" size=".5 .5 .1" pos="{i} {j} -.1"/>' for i in range(4) for j in range(4))
    balls = "".join(f'<geom size=".05" pos="{0.1 * i:.1f} {0.1 * j:.1f} 0"/>' for i in range(5) for j in range(4))
    slabs = "".join(f'<body pos="{0.6 * k + 0.2:.1f} 1 .05"><freejoint/>{balls}</body>' for k in range(5))
    option = '<option sleep_tolerance=".1"><flag sleep="enable"/></option>'
    text = f"<mujoco>{option}<worldbody>{tiles}{slabs}</worldbody></mujoco>"
    rm, rd, m, d = twins(text)
    awake = []
    for k in range(150):
        if k == 100:
            assert (np.asarray(rd.tree_asleep) >= 0).all()
            rd.qvel[6], d.qvel[6] = 2.0, 2.0  # the second slab, at the third
        mujoco.mj_step(rm, rd)
        physics.mj_step(m, d)
        assert in_order(d.contact.geom) == in_order(rd.contact.geom)
        awake.append(int(rd.ntree_awake))
    assert m.collide_ngroup == 6
    assert awake[99] == 0
    assert 0 < awake[101] < awake[-1] < 5


def test_a_geom_that_a_script_moves_is_found_where_it_is() -> None:
    """The boxes of a body of many geoms, and of the static ones, follow the model."""
    row = "".join(f'<geom size=".1" pos="{k} 0 0"/>' for k in range(700))
    text = f'<mujoco><worldbody>{row}<body pos="0 0 5"><freejoint/>{row}</body></worldbody></mujoco>'
    m, d = posed(text)
    assert m.collide_ngroup == 2
    assert d.ncon == 0
    m.geom_pos[720, 2] = -5.0
    physics.mj_forward(m, d)
    assert in_order(d.contact.geom) == [(20, 720)]
    m.geom_pos[20, 1] = 30.0
    physics.mj_forward(m, d)
    assert d.ncon == 0
    m.geom_rbound[30] = m.geom_size[30, 0] = 4.95
    physics.mj_forward(m, d)
    assert (30, 730) in in_order(d.contact.geom)


def test_nan_positions_collide_with_nothing_and_hide_none() -> None:
    row = "".join(f'<geom size=".1" pos="{0.3 * k:.1f} 0 0"/>' for k in range(40))
    ball = '<body pos="{} 0 .15"><freejoint/><geom size=".1"/></body>'
    text = (f"<mujoco><worldbody>{row}{''.join(ball.format(0.3 * k) for k in range(20))}"
            f'<body pos="0 0 -.15"><freejoint/>{row}</body></worldbody></mujoco>')  # fmt: skip
    m, d = load(text)
    physics.mj_kinematics(m, d)
    physics.mj_collision(m, d)
    assert d.ncon == 20 + 40
    d.qpos[7 * 3] = d.qpos[7 * 20 + 2] = np.nan  # a ball, and the body of many geoms
    physics.mj_kinematics(m, d)
    physics.mj_collision(m, d)
    assert d.ncon == 19


@pytest.mark.parametrize(("balls", "listed"), [(1, True), (60, False)])
def test_what_touches_nothing_is_neither_listed_nor_swept(balls: int, listed: bool) -> None:
    """Hundreds of shapes for the eye alone, all in one place: each step would compare them, as they overlap."""
    seen = {}
    for ghosts in (0, 500):
        shapes = "".join(f'<geom size=".5" pos="{k / 100} 0 0" contype="0" conaffinity="0"/>' for k in range(ghosts))
        bodies = "".join(f'<body pos="{k / 3} 0 5"><freejoint/><geom size=".1"/></body>' for k in range(balls))
        m = physics.MjModel.from_xml_string(f"<mujoco><worldbody>{shapes}{bodies}</worldbody></mujoco>")
        physics.mj_step(m, physics.MjData(m))
        assert (m.collide_nactive >= 0) == listed
        seen[ghosts] = m.collide_nunit, m.collide_ngroup, m.collide_nactive
    assert seen[500] == seen[0]


# ---- the table of narrow phases


PAIRS = list(combinations_with_replacement([kind for kind in mjtGeom if kind <= mjtGeom.mjGEOM_SDF], 2))


@pytest.mark.parametrize("types", PAIRS, ids=lambda types: f"{types[0].name}-{types[1].name}")
def test_two_types_collide_by_one_narrow_phase_or_never(types):
    assert (types in COLLIDERS) != (types in NEVER)

"""Which pairs of geoms make contacts, in which order, with which numbers: generated scenes, list, sweep and trees."""

from itertools import combinations_with_replacement

import mujoco
import numpy as np
import pytest

from tests.physics.collision.scenes import FIELDS, Twins
from tests.physics.reference import load, posed, twins
from tests.physics.scenes import GYM
from tumble import physics
from tumble.physics.collision.dispatch import COLLIDERS, NEVER, bind_collision, collision, prepare_collision, unsupported_pairs
from tumble.physics.collision.driver import SWEEP
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
        more += ' priority="{}" condim="{}" solmix="{}" solref="{}"'.format(
            self.rng.choice([0, 0, 0, 1]), self.rng.choice([1, 3, 4, 6]), self.rng.choice([0, 1, 2.5]),
            self.rng.choice(["0.02 1", "0.03 0.8", "-500 -20"]))  # fmt: skip
        more += ' friction="{:.3f} {:.3f} {:.3f}" solimp="{:.3f} .95 .01 .4 2"'.format(*self.rng.random(4))
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
            own = 'condim="6" friction=".5 .6 .01 .02 0" solref=".03 .9" solreffriction=".01 1" solimp=".8"' if k % 2 else ""
            text += f'<pair geom1="g{2 * k + 1}" geom2="g{2 * k}" margin="{margin:.3f}" gap="{gap:.3f}" {own}/>'
        return text

    def text(self, option: str) -> str:
        return f"<mujoco><option>{option}</option><worldbody>{self.world}</worldbody><contact>{self.contact()}</contact></mujoco>"


def in_order(geoms: np.ndarray) -> Pairs:
    """The pairs of geoms of contacts as they come, each once."""
    rows = [tuple(pair) for pair in np.reshape(geoms, (-1, 2)).tolist()]
    return [pair for k, pair in enumerate(rows) if k == 0 or rows[k - 1] != pair]


# Few geoms, whose pairs are listed; bodies of many geoms; a crowd; a world of many geoms.
SIZES = {"listed": (12, 4, 0.4, 5), "bodies": (10, 60, 0.8, 20), "crowd": (100, 2, 1.5, 5), "world": (100, 2, 1.8, 400)}
FLAGS = ("", '<flag midphase="disable"/>', '<flag filterparent="disable"/>', '<flag override="enable"/>')
OVERRIDE = 'o_margin=".05" o_solref=".1 .2" o_solimp=".5 .6 .1 .3 1" o_friction="0 2 3 4 0"'


def scenery(seed: int, kind: str, flags: str = "") -> Twins:
    text = Scenery(seed, *SIZES[kind]).text(flags).replace("<option>", f"<option {OVERRIDE}>")
    return Twins(mujoco.MjModel.from_xml_string(text))


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("kind", SIZES)
def test_pairs_their_order_and_their_numbers_are_the_references(kind: str, flags: str) -> None:
    """After everything that can move was moved."""
    total = 0
    for seed in range(1, 5 if kind == "listed" else 3):
        twins, rng = scenery(seed, kind, flags), np.random.default_rng(seed)
        twins.rd.qpos += 0.1 * rng.normal(size=twins.rm.nq)
        twins.rd.mocap_pos += 0.1 * rng.normal(size=twins.rd.mocap_pos.shape)
        twins.run()
        assert twins.difference(tol=1e-9, but=twins.past_the_border()) == ""
        assert (twins.m.collide_nactive >= 0) == (kind == "listed")
        total += twins.rd.ncon
    assert total > 25


@pytest.mark.parametrize("path", GYM, ids=lambda p: p.stem)
def test_gymnasium_models_have_the_references_contacts(path):
    reference = mujoco.MjModel.from_xml_path(str(path))
    twins, rng = Twins(reference), np.random.default_rng(0)
    assert unsupported_pairs(twins.m) == []
    for episode in range(8):
        mujoco.mj_resetData(reference, twins.rd)
        twins.rd.qpos += rng.normal(size=reference.nq) * 0.3 * (episode > 0)
        for step in range(60):
            twins.rd.ctrl[:] = rng.uniform(-1, 1, reference.nu)
            mujoco.mj_step(reference, twins.rd)
            if step % 6 == 0:
                twins.run()
                assert twins.difference(tol=1e-9) == ""


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


def test_masks_changed_at_run_time_count_at_the_next_step():
    twins = scenery(1, "listed")
    twins.m.geom_contype[:], twins.m.geom_conaffinity[:] = 0, 0
    bind_collision(twins.m)
    collision(twins.m, twins.d)
    assert len({frozenset(pair) for pair in twins.d.contact.geom.tolist()}) <= twins.m.npair
    for model in (twins.m, twins.rm):
        model.geom_contype[:], model.geom_conaffinity[:] = 1, 1
    twins.rm.body_contype[:], twins.rm.body_conaffinity[:] = 1, 1
    mujoco.mj_forward(twins.rm, twins.rd)
    collision(twins.m, twins.d)
    assert twins.d.needcollide == 1  # types that could not meet when the model was bound
    bind_collision(twins.m)
    twins.run()
    assert twins.rd.ncon > 15
    assert twins.difference(tol=1e-9, but=twins.past_the_border()) == ""


@pytest.mark.parametrize("kind", SIZES)
def test_no_contact_is_dropped_when_room_lacks(kind):
    twins = scenery(1, kind)
    twins.run()
    expected = {name: np.array(getattr(twins.d, name)) for name in FIELDS}
    count = twins.d.ncon
    assert count > twins.d.maxcon // 8
    twins.d._grow("maxcon", 4)
    collision(twins.m, twins.d)
    assert twins.d.needcon > 4
    while twins.d.needcon:
        twins.d.grow("maxcon", twins.d.needcon)
        collision(twins.m, twins.d)
    assert twins.d.ncon == count
    for name, value in expected.items():
        np.testing.assert_array_equal(getattr(twins.d, name), value, err_msg=name)


def test_only_what_can_meet_is_compiled():
    twins = Twins(mujoco.MjModel.from_xml_path(str(next(path for path in GYM if path.stem == "ant"))))
    assert {stage.name for stage in prepare_collision(twins.m)} == {"refilter", "plane_sphere", "plane_capsule"}
    assert twins.m.collide_fn[SWEEP] == 0


def test_unsupported_pairs_are_told():
    scene = '<geom size="0.1"/><body pos="0 0 1"><freejoint/><geom size="0.1"/></body>'
    twins = Twins(mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{scene}</worldbody></mujoco>"))
    twins.m._arrays["geom_type"][1] = int(mjtGeom.mjGEOM_ARROW)  # a decoration, which no file can ask for
    assert unsupported_pairs(twins.m) == [(0, 1)]


# ---- the table of narrow phases


PAIRS = list(combinations_with_replacement([kind for kind in mjtGeom if kind <= mjtGeom.mjGEOM_SDF], 2))


@pytest.mark.parametrize("types", PAIRS, ids=lambda types: f"{types[0].name}-{types[1].name}")
def test_two_types_collide_by_one_narrow_phase_or_never(types):
    assert (types in COLLIDERS) != (types in NEVER)

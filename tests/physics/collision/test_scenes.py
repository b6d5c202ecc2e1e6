"""Whole scenes: which pairs collide, in which order, with which parameters, and what happens when room lacks."""

from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from tests.physics.collision.scenes import FIELDS, Twins
from tumble.physics.collision.dispatch import bind_collision, collision, prepare_collision, unsupported_pairs
from tumble.physics.collision.driver import SWEEP
from tumble.physics.collision.sweep import sweep
from tumble.physics.state.enums import mjtGeom

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"


@pytest.mark.parametrize("path", sorted(ASSETS.glob("*.xml")), ids=lambda p: p.stem)
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


def crowd(rng: np.random.Generator, bodies: int, size: float, extra: str = "") -> str:
    """Bodies in chains of up to three, each of one to three geoms of any analytic kind, with every parameter at random."""

    def geom(name: str) -> str:
        kind = rng.choice(["sphere", "capsule", "box"])
        sizes = " ".join(f"{x:.4f}" for x in rng.uniform(0.05, 0.15, {"sphere": 1, "capsule": 2, "box": 3}[kind]))
        place = " ".join(f"{x:.4f}" for x in rng.uniform(-0.1, 0.1, 3))
        friction = " ".join(f"{x:.3f}" for x in rng.uniform(0, 1, 3))
        solref = rng.choice(["0.02 1", "0.03 0.8", "-500 -20"])
        solimp = " ".join(f"{x:.3f}" for x in (*rng.uniform(0.8, 0.99, 2), 0.01, 0.4, 2))
        turn = f"{rng.uniform(0, 90):.2f} 20 {rng.uniform(0, 90):.2f}"
        return (
            f'<geom name="{name}" type="{kind}" size="{sizes}" pos="{place}" euler="{turn}"'
            f' friction="{friction}" solref="{solref}" solimp="{solimp}" solmix="{rng.choice([0, 1, 2.5])}"'
            f' priority="{rng.choice([0, 0, 0, 1])}" condim="{rng.choice([1, 3, 4, 6])}" margin="{rng.choice([0, 0.01, 0.03])}"'
            f' gap="{rng.choice([0, 0.005])}" contype="{rng.choice([1, 1, 2, 3])}" conaffinity="{rng.choice([1, 1, 2, 0])}"/>'
        )

    def body(k: int, depth: int) -> str:
        inner = "".join(geom(f"g{k}_{i}") for i in range(rng.integers(1, 4)))
        joint = "<freejoint/>" if depth == 0 else rng.choice(['<joint type="hinge" axis="1 2 3"/>', ""])
        place = " ".join(f"{x:.4f}" for x in rng.uniform(-size, size, 3) * (0.3 if depth else 1.0))
        child = body(1000 * (depth + 1) + k, depth + 1) if depth < 2 and rng.random() < 0.4 else ""
        return f'<body name="b{k}" pos="{place}">{joint}{inner}{child}</body>'

    fixed = geom("fixed0") + '<geom name="floor" type="plane" size="5 5 1" condim="3" margin="0.01"/>' + geom("fixed1")
    return (
        f'<mujoco><worldbody>{fixed}{"".join(body(k, 0) for k in range(bodies))}'
        f'<body name="shelf" pos="0.1 0 0">{geom("shelf")}<geom type="plane" size="1 1 1" pos="0 0 -0.3" euler="10 0 0"/></body>'
        f"</worldbody>{extra}</mujoco>"
    )


EXTRA = """<contact>
  <exclude body1="b3" body2="b1"/><exclude body1="b0" body2="b2"/>
  <pair geom1="g4_0" geom2="g2_0"/><pair geom1="g3_0" geom2="g1_0" margin="0.2"/>
  <pair geom1="g1_0" geom2="fixed0" condim="6" friction="0.5 0.6 0.01 0.02 0" margin="0.1" gap="0.02"
    solref="0.03 0.9" solreffriction="0.01 1" solimp="0.8 0.9 0.01 0.5 1"/>
</contact>"""


OVERRIDE = (
    '<option o_margin="0.05" o_solref="0.1 0.2" o_solimp="0.5 0.6 0.1 0.3 1" o_friction="0 2 3 4 0">'
    '<flag override="enable"/></option>'
)


@pytest.mark.parametrize(
    ("seed", "extra"),
    [*((seed, EXTRA) for seed in range(6)), (2, OVERRIDE + EXTRA)],
)
def test_pair_filters_order_and_mixing_match_reference(seed, extra):
    twins = Twins(mujoco.MjModel.from_xml_string(crowd(np.random.default_rng(seed), 8, 0.35, extra)))
    twins.run()
    assert twins.rd.ncon > 15
    assert twins.difference(tol=1e-9) == ""


@pytest.mark.parametrize("seed", range(3))
def test_the_sweep_finds_what_the_list_finds(seed):
    """More pairs than are listed, so that the scene is swept; the reference's order tells that nothing shows of it."""
    twins = Twins(mujoco.MjModel.from_xml_string(crowd(np.random.default_rng(10 + seed), 60, 0.8, EXTRA)))
    assert sweep in prepare_collision(twins.m)
    rng = np.random.default_rng(seed)
    for _ in range(3):
        twins.rd.qpos += rng.normal(size=len(twins.rd.qpos)) * 0.05
        twins.run()
        assert twins.m.collide_nactive == -1
        assert twins.rd.ncon > 100
        assert twins.difference(tol=1e-9, but=twins.past_the_border()) == ""


def test_masks_changed_at_run_time_count_at_the_next_step():
    twins = Twins(mujoco.MjModel.from_xml_string(crowd(np.random.default_rng(4), 8, 0.3)))
    twins.m.geom_contype[:], twins.m.geom_conaffinity[:] = 0, 0
    bind_collision(twins.m)
    collision(twins.m, twins.d)
    assert twins.d.ncon == 0
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


@pytest.mark.parametrize("bodies", [12, 60])
def test_no_contact_is_dropped_when_room_lacks(bodies):
    twins = Twins(mujoco.MjModel.from_xml_string(crowd(np.random.default_rng(3), bodies, 0.3, EXTRA)))
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
    twins = Twins(mujoco.MjModel.from_xml_path(str(ASSETS / "ant.xml")))
    assert {stage.name for stage in prepare_collision(twins.m)} == {"refilter", "plane_sphere", "plane_capsule"}
    assert twins.m.collide_fn[SWEEP] == 0


def test_unsupported_pairs_are_told():
    scene = '<geom size="0.1"/><body pos="0 0 1"><freejoint/><geom size="0.1"/></body>'
    twins = Twins(mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{scene}</worldbody></mujoco>"))
    twins.m._arrays["geom_type"][1] = int(mjtGeom.mjGEOM_ARROW)  # a decoration, which no file can ask for
    assert unsupported_pairs(twins.m) == [(0, 1)]

"""The stage table of a model holds what its options need, and nothing else."""

import pytest

from tests.physics.island.scenes import ALL, scene
from tumble.physics import ContactModel, MjModel
from tumble.physics.dispatch.program import bind, needed
from tumble.physics.state.enums import mjtEnableBit
from tumble.physics.state.stages import Entry, Phase


@pytest.fixture(scope="module")
def model():
    return MjModel.from_xml_string(scene(*ALL))


def test_the_table_holds_the_addresses_of_what_is_needed(model):
    bind(model)
    plan = needed(model)
    for entry in Entry:
        assert model.stage[entry] == (plan[entry].address if entry in plan else 0), entry.name


def test_every_step_has_poses_inertia_forces_and_an_integrator(model):
    plan = needed(model)
    always = {Phase.POSES, Phase.INERTIA, Phase.CONTACTS, Phase.VELOCITY, Phase.FORCES, Phase.CONSTRAINT, Phase.INTEGRATION}
    assert always <= {entry.phase for entry in plan}


@pytest.mark.parametrize(("entry", "flag"), [
    (Entry.ENERGY_POS, mjtEnableBit.mjENBL_ENERGY), (Entry.ENERGY_VEL, mjtEnableBit.mjENBL_ENERGY),
    (Entry.FORWARD_INVERSE, mjtEnableBit.mjENBL_FWDINV), (Entry.FALL, mjtEnableBit.mjENBL_SLEEP),
    (Entry.WAKE_TOUCHING, mjtEnableBit.mjENBL_SLEEP),
])  # fmt: skip
def test_a_flag_brings_its_stages_and_takes_them_away(model, entry, flag):
    assert entry not in needed(model)
    model.opt.enableflags |= int(flag)
    try:
        assert entry in needed(model)
    finally:
        model.opt.enableflags &= ~int(flag)


def test_hard_contacts_replace_solver_lanes_and_no_slip_pass(model):
    model.tumble.contact_model = ContactModel.LCP
    try:
        plan = needed(model)
    finally:
        model.tumble.contact_model = ContactModel.SOFT
    assert not {Entry.SOLVER, Entry.LANE, Entry.NOSLIP, Entry.DUAL} & plan.keys()
    assert {Entry.SOLVE, Entry.PROJECT} <= plan.keys()

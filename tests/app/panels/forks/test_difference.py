"""What a fork does otherwise, from what the user typed."""

import pytest

from tumble import physics
from tumble.app.base.traces import BUCKET_SIZES
from tumble.app.panels.forks.difference import (
    CONE_CHOICES,
    INTEGRATOR_CHOICES,
    SOLVER_CHOICES,
    STEP_CHOICES,
    ForkChoice,
    difference,
)
from tumble.app.panels.forks.forks import BUCKETS, new_traces


def test_nothing_chosen_is_no_setting_and_no_name():
    assert difference(ForkChoice(), 0.002).settings == {}
    assert difference(ForkChoice(), 0.002).name == ""


def test_choices_are_settings_and_named_in_a_few_words():
    made = difference(ForkChoice("PGS", "elliptic", "RK4", "/ 4", "0.05 1", "", "as the file has it"), 0.002)
    assert made.settings == {
        "solver": physics.mjtSolver.mjSOL_PGS, "contact_model": physics.ContactModel.SOFT,
        "cone": physics.mjtCone.mjCONE_ELLIPTIC, "integrator": physics.mjtIntegrator.mjINT_RK4,
        "timestep": 0.0005, "solref": (0.05, 1.0),
    }  # fmt: skip
    assert made.from_file
    assert made.name == "PGS, elliptic, RK4, step 0.0005 s, solref 0.05 1, as the file has it"


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("0.005", 0.005), ("0,005", 0.005), ("/ 2", 0.001), ("/2", 0.001), ("x 3", 0.006), ("*3", 0.006), ("1e-4", 1e-4),
        (STEP_CHOICES[1], 0.001), (STEP_CHOICES[6], 0.02),
    ],
)  # fmt: skip
def test_a_step_is_seconds_or_a_factor(text, step):
    assert difference(ForkChoice(step=text), 0.002).settings["timestep"] == pytest.approx(step, rel=1e-15)


@pytest.mark.parametrize("text", ["soon", "-0.001", "0", "/ 0", "x", "x -2", "nan", "inf", "/"])
def test_a_step_that_is_none_is_told_with_what_one_is(text):
    with pytest.raises(ValueError, match=r"as 0\.001 is, nor a factor, as / 2 or x 2"):
        difference(ForkChoice(step=text), 0.002)


@pytest.mark.parametrize(("solref", "solimp"), [("0.02", ""), ("1 2 3", ""), ("a 1", ""), ("", "0.9 0.95"), ("", "1 2 3 4 inf")])
def test_numbers_of_contacts_are_as_many_as_they_must_be(solref, solimp):
    with pytest.raises(ValueError, match=r"takes [25] numbers, as "):
        difference(ForkChoice(solref=solref, solimp=solimp), 0.002)


@pytest.mark.parametrize(
    ("chosen", "limit"),
    [
        (ForkChoice(step="2"), "timestep must be between 1e-07 and 1"),
        (ForkChoice(solref="0.02 -1"), "solref: valid: two positive numbers"),
        (ForkChoice(solimp="0.9 2 0.001 0.5 2"), "solimp: dwidth must be between 0 and 1"),
    ],
)
def test_limits_are_those_of_the_model_that_is_edited(chosen, limit):
    with pytest.raises(ValueError, match=limit):
        difference(chosen, 0.002)


def test_all_choices_of_the_boxes_make_a_fork():
    model = physics.MjModel.from_xml_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>")
    for chosen in (
        *(ForkChoice(solver=name) for name in SOLVER_CHOICES), *(ForkChoice(cone=name) for name in CONE_CHOICES),
        *(ForkChoice(integrator=name) for name in INTEGRATOR_CHOICES), *(ForkChoice(step=name) for name in STEP_CHOICES),
    ):  # fmt: skip
        made = physics.variant(model, **difference(chosen, 0.002).settings)
        assert made.opt.timestep > 0


def test_a_day_at_ten_thousand_steps_a_second_is_kept_in_bounded_memory():
    traces = new_traces()
    assert BUCKETS * BUCKET_SIZES[-1] > 24 * 3600 * 10_000
    assert 2 * traces.nbytes < 8e6  # the run before too

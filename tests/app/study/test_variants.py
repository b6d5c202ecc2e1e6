"""Paths find attributes, and a variant is the model of the file with its values, bit for bit, whether set or compiled."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.app.study.slope import SLOPE
from tumble.app.session.loader import read_compiled
from tumble.app.study.study_file import StudyError, StudyParameter
from tumble.app.study.variants import Variants
from tumble.physics import MjData, MjModel, mj_step
from tumble.physics.state.fields import MODEL


def variants(folder: Path, model: str = SLOPE, **parameters: StudyParameter) -> Variants:
    (folder / "slope.xml").write_text(model)
    return Variants(read_compiled(folder / "slope.xml").bundle, parameters)


def differing(one: MjModel, other: MjModel) -> set[str]:
    return {f.name for f in MODEL if not np.array_equal(getattr(one, f.name), getattr(other, f.name))}


@pytest.mark.parametrize(
    ("path", "value", "written", "compiles"),
    [
        ("geom[box].friction[1]", 0.2, ('mass="1" class="pad"/>', 'mass="1" class="pad" friction="0.6 0.2 0.001"/>'), False),
        ("option.timestep", 0.001, ('timestep="0.002"', 'timestep="0.001"'), False),
        ("option.impratio", 10.0, ('<option timestep="0.002"/>', '<option timestep="0.002" impratio="10"/>'), False),
        ("joint[hi*].damping", 0.7, ('damping="0.1"', 'damping="0.7"'), False),
        ("joint[0].range[1]", 45.0, ('range="-90 90"', 'range="-90 45"'), False),
        ("actuator[servo].kp", 3.5, ('kp="2"', 'kp="3.5"'), False),
        ("position.kp", 3.5, ('kp="2"', 'kp="3.5"'), False),
        ("inertial[arm].mass", 0.75, ('mass="0.5"', 'mass="0.75"'), False),
        ("geom[box].mass", 2.5, ('mass="1"', 'mass="2.5"'), True),
        ("geom[rod].size[0]", 0.03, ('size=".02"', 'size="0.03"'), True),
    ],
)
def test_a_variant_is_the_model_of_the_file_with_its_value(
    tmp_path: Path, path: str, value: float, written: tuple[str, str], compiles: bool
) -> None:
    made = variants(tmp_path, it=StudyParameter(path=path, low=value, high=2 * value))
    assert made.compiles is compiles
    assert made.text({0: value})["slope.xml"].decode() == SLOPE.replace(*written)
    expected = MjModel.from_xml_string(SLOPE.replace(*written))
    allowed = {"stat_center", "stat_extent", "stat_meansize", "stat_meanmass"}  # of the view: kept where fields are set
    assert differing(made.model([value]), expected) <= allowed
    assert differing(made.base, expected) - allowed


def test_a_value_that_the_file_has_is_not_what_shows_how_others_are_set(tmp_path: Path) -> None:
    assert not variants(tmp_path, mass=StudyParameter(path="inertial[arm].mass", values=(0.5, 0.7))).compiles


def test_parameters_together_are_what_a_file_with_all_of_them_gives(tmp_path: Path) -> None:
    tied = StudyParameter(paths=("geom[slope].friction[0]", "geom[box].friction[0]"), low=0.1, high=1.0)
    twice = StudyParameter(path="joint[hinge].damping", low=0.5, high=2.0, factor=True)
    made = variants(tmp_path, tied=tied, twice=twice, mass=StudyParameter(path="inertial[arm].mass", low=0.1, high=1.0))
    assert not made.compiles
    assert made.initial == (0.6, 0.1, 0.5)
    model = made.model([0.25, 2.0, 0.9])
    assert model.geom_friction[:2, 0].tolist() == [0.25, 0.25]
    assert model.dof_damping[6] == 0.2
    again = MjModel.from_xml_string(made.text({0: 0.25, 1: 2.0, 2: 0.9})["slope.xml"].decode())
    assert np.array_equal(model.body_invweight0, again.body_invweight0)
    assert made.base.dof_damping[6] == 0.1


def test_words_are_values_too(tmp_path: Path) -> None:
    made = variants(tmp_path, how=StudyParameter(path="option.integrator", values=("Euler", "implicitfast")))
    assert [int(made.model([word]).opt.integrator) for word in ("Euler", "implicitfast")] == [0, 3]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("geom[box]", "is no path; valid are geom"),
        ("geom[bax].friction[0]", "no <geom> is called 'bax'; there are box"),
        ("geom[box].fraction[0]", "<geom> has no attribute 'fraction' with numbers or words; valid are friction"),
        ("geom[box].friction", "friction has several numbers: say which, as friction"),
        ("geom[box].friction[7]", r"valid is \[0\] to \[2\]"),
        ("geom.friction[0]", r"the model has 3 of <geom>; say which, as geom\[slope\], or geom\[\*\]"),
        ("gemo[box].friction[0]", "the model has no <gemo>; it has geom"),
        ("joint[hinge].damping[0]", "damping is one number: valid is no brackets"),
    ],
)
def test_a_path_that_leads_nowhere_says_what_is_valid(tmp_path: Path, path: str, words: str) -> None:
    with pytest.raises(StudyError, match=f"parameter it: .*{words}"):
        variants(tmp_path, it=StudyParameter(path=path, low=0.0, high=1.0))


def test_a_value_of_the_wrong_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="integrator is one of Euler"):
        variants(tmp_path, it=StudyParameter(path="option.integrator", low=0.0, high=1.0))
    with pytest.raises(StudyError, match="damping is one number, no word"):
        variants(tmp_path, it=StudyParameter(path="joint[hinge].damping", values=("low", "high")))


def test_an_included_file_is_where_the_attribute_changes(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text('<mujoco><body name="arm"><joint name="j" damping="1"/><geom size=".1"/></body></mujoco>')
    made = variants(
        tmp_path,
        '<mujoco><worldbody><include file="arm.xml"/></worldbody></mujoco>',
        it=StudyParameter(path="joint[j].damping", low=1.0, high=4.0),
    )
    assert list(made.text({0: 2.5})) == ["arm.xml"]
    assert made.model([2.5]).dof_damping.tolist() == [2.5]
    assert math.isclose(float(made.base.dof_damping[0]), 1.0)


def test_a_stiffness_in_newtons_per_metre_is_that_of_the_contact_at_rest(tmp_path: Path) -> None:
    ball = """<mujoco><option timestep="0.0005"/><worldbody><geom type="plane" size="1 1 .1"/>
      <body pos="0 0 .099"><freejoint/>
        <geom name="ball" size=".1" mass="2" condim="1" priority="1" solref="-1 -1" solimp=".8 .8 .01"/>
      </body></worldbody></mujoco>"""
    stiff = StudyParameter(path="geom[ball].solref[0]", unit="N/m", low=1e3, high=1e5)
    damped = StudyParameter(path="geom[ball].solref[1]", unit="N*s/m", low=1e2, high=1e4)
    model = variants(tmp_path, ball, stiff=stiff, damped=damped).model([5000.0, 400.0])
    data = MjData(model)
    mj_step(model, data, 4000)
    assert data.contact.dist[0] == pytest.approx(-2 * 9.81 / 5000, rel=1e-6)
    with pytest.raises(StudyError, match=r"N/m is a unit of geom\[NAME\].solref\[0\]"):
        variants(tmp_path, ball, stiff=StudyParameter(path="geom[ball].solref[1]", unit="N/m", low=1e3, high=1e5))

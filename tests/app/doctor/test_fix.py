"""Patches of what is proven: which changes they have, and of two for one number the first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.conftest import MODELS
from tumble import physics
from tumble.app.doctor.case import Examination
from tumble.app.doctor.finding import Finding, Measure, ModelChange, Prediction, Severity
from tumble.app.doctor.fix import ProvenFinding, fix_of
from tumble.app.doctor.proof import Proof
from tumble.app.simulation.changes import Change


@pytest.fixture
def ball(tmp_path: Path) -> Examination:
    """A ball over a floor, in a file of its own."""
    path = tmp_path / "ball.xml"
    path.write_text((MODELS / "ball.xml").read_text())
    return Examination(physics.MjModel.from_xml_path(str(path)), path, seconds=0.01)


def proven(rule: str, change: Change, *, holds: bool = True) -> ProvenFinding:
    """A finding with this change, which takes a measure from 2 to 1 or does nothing."""
    prediction = Prediction(Measure("number", "", lambda model, steps: 0.0), 2.0, 1.0)
    found = Finding(rule, Severity.WARNING, rule, change=ModelChange(change.field, "", "", "", (change,), prediction))
    return ProvenFinding(found, Proof(prediction, 2.0, 1.0 if holds else 2.0))


def test_first_of_two_changes_of_a_number_is_made(ball: Examination) -> None:
    assert ball.path is not None
    changes = [
        proven("first", Change("opt.timestep", None, (0.0005,))),
        proven("second", Change("opt.timestep", None, (0.0007,))),
        proven("third", Change("opt.iterations", None, (7,))),
        proven("fourth", Change("opt.timestep", None, (0.0005,))),
    ]
    fix = fix_of(ball, ball.path, changes)
    assert fix is not None
    assert [finding.rule for finding in fix.findings] == ["first", "third", "fourth"]
    assert fix.left == ("second: another change sets the same number",)
    fix.patch.save()
    model = physics.MjModel.from_xml_path(str(ball.path))
    assert (model.opt.timestep, model.opt.iterations) == (0.0005, 7)


def test_nothing_proven_is_no_patch(ball: Examination) -> None:
    assert ball.path is not None
    assert fix_of(ball, ball.path, [proven("first", Change("opt.timestep", None, (0.0005,)), holds=False)]) is None


def test_change_without_a_place_in_the_file_is_left(ball: Examination) -> None:
    """The inertia of a body without <inertial> follows from its geoms."""
    assert ball.path is not None
    body = int(ball.model.nbody) - 1
    changes = [proven("mass", Change("body_mass", body, (3.0,))), proven("step", Change("opt.timestep", None, (0.0005,)))]
    fix = fix_of(ball, ball.path, changes)
    assert fix is not None
    assert [finding.rule for finding in fix.findings] == ["step"]
    assert "body_mass" in fix.left[0]

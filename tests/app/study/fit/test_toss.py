"""Tosses of a cube, simulated with noise: friction, stiffness, damping, mass and inertia are recovered, or named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.app.study.fit.swing import job, write
from tests.app.study.fit.toss import HEAD, cube, study, toss
from tumble import physics
from tumble.app.study.fit.fit import FitResult, ModelFit

NOISE = (0.0002, 0.02)
BEGINNINGS = f"position = {NOISE[0]}\nvelocity = {NOISE[1]}"


def factor(name: str, *paths: str) -> str:
    listed = ", ".join(f'"{path}"' for path in paths)
    return f"[parameters.{name}]\npaths = [{listed}]\nfactor = true\nlow = 0.4\nhigh = 2.5\nlog = true\n"


CONTACT = (
    factor("friction", "geom[corner*].friction[0]")
    + factor("stiffness", "geom[corner*].solref[0]")
    + factor("damping", "geom[corner*].solref[1]")
)
BODY = factor("mass", "inertial[cube].mass") + factor("moment", *(f"inertial[cube].diaginertia[{k}]" for k in range(3)))
MASS, MOMENT = 0.37 / 1.15, 0.00081 * 1.1
FILE = cube(friction=0.18 * 1.2, solref=f"{-5000 * 0.8:g} {-80 * 1.3:g}", mass=MASS, moment=MOMENT)
TRUTH = {"friction": 1 / 1.2, "stiffness": 1 / 0.8, "damping": 1 / 1.3, "mass": 1.15, "moment": 1 / 1.1}


def fitted(folder: Path, parameters: str, model: str, push: float, count: int = 4) -> FitResult:
    """A fit of tosses under a push of this size."""
    rng = np.random.default_rng(7)
    truth = physics.MjModel.from_xml_string(cube())
    for k in range(count):
        write(folder / f"{k}.csv", HEAD, toss(truth, rng, NOISE, push))
    return ModelFit(job(folder, study(parameters, more=BEGINNINGS), model, [f"{k}.csv" for k in range(count)])).run()


@pytest.mark.slow
def test_contact_mass_and_inertia_are_recovered(tmp_path: Path) -> None:
    """Within 5 %, from four tosses of 0.7 s under a known push, which tells the mass."""
    result = fitted(tmp_path, CONTACT + BODY, FILE, push=1.0)
    for one in result.estimates:
        assert one.value == pytest.approx(TRUTH[one.name], rel=0.05)
        assert one.determined


@pytest.mark.slow
def test_without_a_known_force_only_the_ratio_of_moment_and_mass_is_told(tmp_path: Path) -> None:
    """A contact whose stiffness is given by mass moves a body of twice the mass and moments alike."""
    result = fitted(tmp_path, BODY, cube(mass=MASS, moment=MOMENT), push=0.0, count=2)
    assert result.undetermined == ["The data do not tell mass and moment apart, only their ratio: both may rise."]
    assert not any(one.determined for one in result.estimates)
    mass, moment = (one.value for one in result.estimates)
    assert moment / mass == pytest.approx(TRUTH["moment"] / TRUTH["mass"], rel=0.05)  # as the other values

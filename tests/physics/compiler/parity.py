"""Compares a compiled model with the reference's, field by field."""

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.physics.reference import option
from tumble.physics.errors import MjcfError
from tumble.physics.model import MjModel
from tumble.physics.state.model import Model

# Trees of boxes have a test of their own (test_bvh), as their order among equals is open. Sizes of memory are each engine's own.
SKIPPED = ("bvh_", "nbvh", "oct_", "narena", "nbuffer", "nstage", "stage")


def differences(ours: Model, theirs: mujoco.MjModel, rtol: float = 1e-6) -> list[str]:
    """Every field that differs, with its worst element; empty when the models are equal.

    rtol: of the larger of 1 and the value, the measure of the project's conformance tool.
    """
    found = []
    for name, field in Model._struct.fields.items():
        if name.startswith(SKIPPED):
            continue
        value = _theirs(theirs, name)
        if value is None:
            continue
        mine = getattr(ours, name)
        if name in ("names", "paths"):
            if mine != value:
                found.append(f"{name}: {mine!r} not {value!r}")
            continue
        x, y = np.asarray(mine, float), np.asarray(value, float)
        if field.shape and np.size(y) == 0 and name.startswith("vis_"):
            continue  # a few colours are not visible through the reference's binding
        if x.size != y.size:
            found.append(f"{name}: shape {x.shape} not {y.shape}")
            continue
        error = np.abs(x.ravel() - y.ravel()) / (1 + np.abs(y.ravel()))
        if error.size and not error.max() <= rtol:
            at = int(np.nanargmax(error))
            found.append(f"{name}[{at}]: {x.ravel()[at]:.9g} not {y.ravel()[at]:.9g}")
    return found


def _theirs(reference: mujoco.MjModel, name: str) -> Any:
    if name.startswith(("opt_", "stat_", "vis_")):
        return option(reference, name)
    if name == "names_map":
        return getattr(reference, name, None)
    return np.frombuffer(reference.text_data, np.uint8) if name == "text_data" else getattr(reference, name, None)


def both(xml: str, assets: dict[str, bytes] | None = None) -> tuple[MjModel, mujoco.MjModel]:
    """A text compiled by both engines."""
    return MjModel.from_xml_string(xml, assets), mujoco.MjModel.from_xml_string(xml, assets or {})


def assert_equal(xml: str, assets: dict[str, bytes] | None = None, rtol: float = 1e-6) -> None:
    """Both engines make the same model of a text."""
    found = differences(*both(xml, assets), rtol)
    assert not found, "\n".join(found)


def refused(xml: str, says: str, assets: dict[str, bytes] | None = None, place: str = ".") -> None:
    """A text does not compile, for a reason that is told at its place, a regular expression."""
    with pytest.raises(MjcfError, match=place) as error:
        MjModel.from_xml_string(xml, assets)
    assert says in str(error.value)

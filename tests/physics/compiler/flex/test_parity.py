"""Compiled flexes are those of the reference, field by field."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.physics.compiler.flex.scenes import flexcomp, further, generated, on_world
from tests.physics.compiler.parity import both, differences
from tumble.physics.model import MjModel
from tumble.physics.spec import MjSpec

SCENES = dict([*generated(), *further()])
# Solved for, with masses of grams in a body of tons: the last digits are those of the factorization.
SOLVED = ("body_invweight0", "dof_invweight0", "flexedge_invweight0")
# Sums in which larger numbers cancel: measured against the largest of the field.
SUMS = ("flex_stiffness", "flex_bending", "flex_vertmetric")
# The measure of `differences`: of the larger of 1 and the value. Sums of another order leave some units of the last place.
CLOSE = 1e-12


def strictly(ours: MjModel, theirs: mujoco.MjModel) -> list[str]:
    """All that differs but visual settings, which ours keeps in double precision."""
    found = [line for line in differences(ours, theirs, CLOSE) if not line.startswith((*SOLVED, *SUMS, "vis_"))]
    scales = {field: np.abs(getattr(theirs, field)).max(initial=0) for field in SUMS}
    return found + [field for field, scale in scales.items()
                    if np.abs(getattr(ours, field) - getattr(theirs, field)).max(initial=0) > CLOSE * scale]  # fmt: skip


@pytest.mark.parametrize("name", SCENES)
def test_a_flex_compiles_to_the_arrays_of_the_reference(name: str) -> None:
    ours, theirs = both(SCENES[name])
    turned = ["flex_stiffness"] if name == "nodes that resist, turned" else []  # the reference has that of another box
    assert strictly(ours, theirs) == turned
    for field in SOLVED:
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), rtol=1e-9, atol=1e-12)
    assert (ours.nbvhdynamic, ours.flex_bvhadr.tolist()) == (theirs.nbvhdynamic, theirs.flex_bvhadr.tolist())


@pytest.mark.parametrize(("dim", "count"), [(1, "9 1 1"), (2, "5 4 1"), (3, "4 3 5")])
def test_the_tree_over_the_elements_is_that_of_the_reference(dim: int, count: str) -> None:
    ours, theirs = both(on_world(flexcomp(dim=dim, count=count, spacing="0.1 0.12 0.17")))
    for field in ("bvh_child", "bvh_depth", "bvh_nodeid"):
        np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field))


@pytest.mark.parametrize("turn", ['quat="0.5 0.5 0.5 0.5"', 'quat="0.6 0 0.8 0"', 'axisangle="0 1 0 90"', 'quat="0 0.6 0 -0.8"'])
def test_points_of_a_turned_flexcomp_are_those_of_the_reference_to_the_last_bit(turn: str) -> None:
    """What touches a plane, an end or an edge exactly then does so in both engines."""
    flex = flexcomp(dim=3, count="6 5 4", spacing="0.07 0.063 0.0711", pos="0.3 0.1 0.77").replace(' pos="', f' {turn} pos="')
    ours, theirs = both(on_world(flex))
    np.testing.assert_array_equal(ours.body_pos, theirs.body_pos)


def test_texture_coordinates_go_with_the_corners_of_elements() -> None:
    """As in the reference for surfaces; of solids it fills a part of them, and those of tetrahedra that it turns are swapped."""
    for kind, dim, count in (("grid", 2, "4 3 1"), ("disc", 2, "4 4 1")):
        ours, theirs = both(on_world(flexcomp(type=kind, dim=dim, count=count, material="m")).replace(
            "<worldbody>", '<asset><material name="m"/></asset><worldbody>'))  # fmt: skip
        assert strictly(ours, theirs) == []
    ours, theirs = both(on_world(flexcomp(type="box", dim=3, count="3 3 3", material="m")).replace(
        "<worldbody>", '<asset><material name="m"/></asset><worldbody>'))  # fmt: skip
    np.testing.assert_array_equal(ours.flex_texcoord, theirs.flex_texcoord)
    np.testing.assert_array_equal(ours.flex_elemtexcoord, ours.flex_elem)


@pytest.mark.parametrize("name", [
    "grid 2 full 0", "grid 2 full 2", "circle 1 full 1", "box 3 trilinear 4", "collides 2", "neighbourhoods", "defaults",
    'written 4 <flex flex="X"/> <edge da'])  # fmt: skip
def test_a_spec_and_its_text_give_the_same_flex(name: str) -> None:
    ours = MjModel.from_xml_string(SCENES[name])
    spec = MjSpec.from_string(SCENES[name])
    for again in (spec.compile(), MjModel.from_xml_string(spec.to_xml())):
        assert again.sizes() == ours.sizes()
        for field, array in ours._arrays.items():
            if not field.startswith("stage"):
                np.testing.assert_allclose(again._arrays[field], array, rtol=1e-13, atol=1e-15, err_msg=field)

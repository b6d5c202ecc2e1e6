"""Which two types of geoms collide is one table: each pair is in it once, and each narrow phase is in it."""

from itertools import combinations_with_replacement

import pytest

from tumble.physics.collision.convex import pair, portal
from tumble.physics.collision.dispatch import COLLIDERS, LEGACY, NEVER
from tumble.physics.collision.driver import REFILTER, SWEEP
from tumble.physics.collision.filter import place
from tumble.physics.collision.flex import convex, primitive
from tumble.physics.collision.flex import flex_table as table
from tumble.physics.collision.flex.flex_table import ELEMENTS, FLEXES, GEOMS, SEGMENTS
from tumble.physics.collision.flex.stages import ELEMENT_COLLIDERS
from tumble.physics.collision.flex.stages import LEGACY as SOFT_LEGACY
from tumble.physics.collision.pairs import box, capsule_box, hfield, plane, plane_mesh, sphere
from tumble.physics.collision.sdf import pair as sdf_pair
from tumble.physics.kernel import Stage
from tumble.physics.state.enums import mjtGeom
from tumble.physics.state.fields import MODEL

PAIRS = list(combinations_with_replacement([kind for kind in mjtGeom if kind <= mjtGeom.mjGEOM_SDF], 2))


@pytest.mark.parametrize("types", PAIRS, ids=lambda types: f"{types[0].name}-{types[1].name}")
def test_two_types_collide_by_one_narrow_phase_or_never(types):
    assert (types in COLLIDERS) != (types in NEVER)


def test_the_table_names_the_lower_type_first():
    assert [types for types in COLLIDERS if types[0] > types[1]] == []


def test_every_narrow_phase_is_in_the_table():
    modules = (pair, box, capsule_box, hfield, plane, plane_mesh, sphere, sdf_pair, portal, primitive, convex)
    stages = [(module.__name__, stage) for module in modules for stage in vars(module).values() if isinstance(stage, Stage)]
    written = {stage.key for name, stage in stages if stage.key.startswith(f"{name}:")}
    of_elements = {*ELEMENT_COLLIDERS.values(), convex.segment_segment}  # two segments: no type of geom
    assert written == {stage.key for stage in (*COLLIDERS.values(), *LEGACY.values(), *SOFT_LEGACY.values(), *of_elements)}


@pytest.mark.parametrize("kind", [kind for kind in mjtGeom if kind <= mjtGeom.mjGEOM_SDF], ids=lambda kind: kind.name)
def test_all_but_planes_collide_with_elements_of_every_dimension(kind):
    assert [dim for dim in (1, 2, 3) if (kind, dim) in ELEMENT_COLLIDERS] == ([] if kind == mjtGeom.mjGEOM_PLANE else [1, 2, 3])


def test_places_of_pairs_differ_and_the_broad_phase_comes_after_them():
    places = [place(*types) for types in (*COLLIDERS, *NEVER)]
    assert len(set(places)) == len(places)
    assert max(places) < REFILTER < SWEEP < GEOMS < FLEXES < ELEMENTS
    assert max(ELEMENTS + 3 * kind + dim - 1 for kind, dim in ELEMENT_COLLIDERS) < SEGMENTS < table.PAIRS
    (shape,) = (f.shape for f in MODEL if f.name == "collide_fn")
    assert shape == (table.PAIRS + 1,)

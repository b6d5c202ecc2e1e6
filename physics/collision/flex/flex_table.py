"""Index of flexes' stages in `m.collide_fn`, after those of geoms."""

from tumble.physics.collision.filter import TYPES

GEOMS = TYPES * TYPES + 2  # geoms with flexes
FLEXES = GEOMS + 1  # flexes with each other and with themselves
ELEMENTS = FLEXES + 1  # + 3 * type of geom + dimension - 1: that type with elements
SEGMENTS = ELEMENTS + 3 * TYPES  # segments with each other
PAIRS = SEGMENTS + 1  # all other elements with each other

"""Sums of the triangles' normals at each vertex."""

from tumble.physics.kernel import exact, query
from tumble.physics.kernel.function import INT
from tumble.physics.state.memory import f4_at, f8_at, i4_at, u1_at


@exact
def _add(sums, corner, term, use, count):
    for k in range(3 * count):
        if use[k] != 0:
            for axis in range(3):
                sums[3 * corner[k] + axis] = sums[3 * corner[k] + axis] + term[3 * (k // 3) + axis]


@query(INT, INT, INT, INT, INT, INT)
def add_normals(sums, nvert, corners, terms, use, nface):
    """sums (nvert, 3) f4 <- plus the term (nface, 3) f8 of each triangle at corners (nface, 3) i4 where `use` (nface, 3) u1 is 1.

    Terms are added in the order of the corners, and each sum is rounded to single precision.
    """
    _add(f4_at(sums, 3 * nvert), i4_at(corners, 3 * nface), f8_at(terms, 3 * nface), u1_at(use, 3 * nface), nface)

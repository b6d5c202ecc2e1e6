"""Several points of contact by turning the two geoms a little against each other (flag multiccd).

For pairs whose faces are not known one by one (cylinders, capsules), for pairs with a margin, and for the older collision.
Geoms that touch at a point touch there again when they are turned; those that meet along a line or a face
touch at its far ends. Each geom is turned about the first point and one of the two tangents, by 1e-3 rad one way and the
other, and every new point is one more contact, if it is not where another is already.

Depth and normal of the new points are those of the first: those of the turned geoms are of other poses. (The reference takes
the turned normals. They are off by 1e-3 rad, each its own way: stacks of cylinders creep, by millimetres a minute.)
The poses are those of d.geom_xpos and d.geom_xmat, changed during a search; what they were is in d.hit_work.
"""

from tumble.physics.algebra.mat3 import load9, mat_mul, mat_vec, store9
from tumble.physics.algebra.quat import quat_axis_angle, quat_mat
from tumble.physics.algebra.vec3 import add3, dot3, load3, scale3, store3, sub3
from tumble.physics.collision.contact import contact_axes
from tumble.physics.collision.convex.support import ELLIPSOID, SPHERE
from tumble.physics.collision.hit import touch
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtEnableBit

MULTICCD = int(mjtEnableBit.mjENBL_MULTICCD)
TURNS = 4  # one way and the other about each of two tangents
_ANGLE = 1e-3  # of each geom [rad], as in the reference
_DISTINCT = 1e-3  # of the radius of the smaller geom: points that are nearer to each other are one, as in the reference

_TANGENT = 0  # 2 rows of d.hit_work: the tangents
_POSITION = 2  # 2 rows: where the geoms were
_ROTATION = 4  # 6 rows: how they were turned


@kernel
def _keep(d, k, g):
    """Note the pose of a geom."""
    mat, row = d.geom_xmat, _ROTATION + 3 * k
    store3(d.hit_work, _POSITION + k, load3(d.geom_xpos, g))
    for i in range(3):
        store3(d.hit_work, row + i, (mat[g, 3 * i], mat[g, 3 * i + 1], mat[g, 3 * i + 2]))


@kernel
def _put_back(d, k, g):
    """Give a geom the pose that was noted."""
    w, row = d.hit_work, _ROTATION + 3 * k
    store3(d.geom_xpos, g, load3(w, _POSITION + k))
    for i in range(3):
        for j in range(3):
            d.geom_xmat[g, 3 * i + j] = w[row + i, j]


@kernel
def _turn(d, g, axis, angle):
    """Rotate a geom about an axis through the first point of contact."""
    pivot, rotation = load3(d.hit_pos, 0), quat_mat(quat_axis_angle(axis, angle))
    store3(d.geom_xpos, g, add3(pivot, mat_vec(rotation, sub3(load3(d.geom_xpos, g), pivot))))
    store9(d.geom_xmat, g, mat_mul(rotation, load9(d.geom_xmat, g)))


@kernel
def begin_turns(m, d):
    """Note poses and tangents before the geoms are turned; False of round ones, which touch at one point however they turn."""
    g, h = d.hit_geom1, d.hit_geom2
    first, second = m.geom_type[g], m.geom_type[h]
    if first == SPHERE or first == ELLIPSOID or second == SPHERE or second == ELLIPSOID:
        return False
    f = d.hit_frame
    _, y, z = contact_axes((f[0, 0], f[0, 1], f[0, 2]), (0.0, 0.0, 0.0))
    store3(d.hit_work, _TANGENT, y)
    store3(d.hit_work, _TANGENT + 1, z)
    _keep(d, 0, g)
    _keep(d, 1, h)
    return True


@kernel
def turn_apart(d, k):
    """Turn the geoms against each other, the k-th way of TURNS."""
    axis, angle = load3(d.hit_work, _TANGENT + k // 2), -_ANGLE if k % 2 == 0 else _ANGLE
    _turn(d, d.hit_geom1, axis, angle)
    _turn(d, d.hit_geom2, scale3(-1.0, axis), angle)


@kernel
def turn_back(d):
    """Give both geoms their poses again, to the last bit."""
    _put_back(d, 0, d.hit_geom1)
    _put_back(d, 1, d.hit_geom2)


@kernel
def touch_distinct(m, d, dist, pos):
    """Report a point if it is not where another is already."""
    near = _DISTINCT * min(m.geom_rbound[d.hit_geom1], m.geom_rbound[d.hit_geom2])
    for k in range(d.hit_num):
        apart = sub3(load3(d.hit_pos, k), pos)
        if dot3(apart, apart) <= near * near:
            return
    f = d.hit_frame
    touch(d, dist, pos, (f[0, 0], f[0, 1], f[0, 2]))

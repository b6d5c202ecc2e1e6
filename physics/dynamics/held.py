"""Anchors of connects and welds on their two bodies."""

from tumble.physics.algebra.quat import load4, quat_mul, quat_rot
from tumble.physics.algebra.vec3 import add3, load3
from tumble.physics.kernel import kernel
from tumble.physics.state.enums import mjtEq, mjtObj

CONNECT, WELD, SITE = int(mjtEq.mjEQ_CONNECT), int(mjtEq.mjEQ_WELD), int(mjtObj.mjOBJ_SITE)


@kernel
def held_frame(m, d, e, index, second):
    """Body, point and orientation at one end of a connect or weld: those that the constraint makes meet.

    The first body's frame is turned by the relative pose, so that it meets the second's as it is.
    """
    if m.eq_objtype[e] == SITE:
        b = m.site_bodyid[index]
        return b, load3(d.site_xpos, index), quat_mul(load4(d.xquat, b), load4(m.site_quat, index))
    # eq_data holds the point of the first body, then of the second; a weld has them the other way round.
    at = 3 * second if m.eq_type[e] == CONNECT else 3 - 3 * second
    q = load4(d.xquat, index)
    point = add3(load3(d.xpos, index), quat_rot(q, (m.eq_data[e, at], m.eq_data[e, at + 1], m.eq_data[e, at + 2])))
    if m.eq_type[e] == WELD and second == 0:
        q = quat_mul(q, (m.eq_data[e, 6], m.eq_data[e, 7], m.eq_data[e, 8], m.eq_data[e, 9]))
    return index, point, q

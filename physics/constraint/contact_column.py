"""One column of the Jacobian of a contact: how its rows change with one joint velocity."""

from tumble.physics.algebra.vec3 import dot3
from tumble.physics.kernel import kernel


@kernel
def contact_column(d, c, at, nv, rot, lin, elliptic):
    """Write one column of a contact's rows, the first at index `at`: rot and lin are the motion for unit velocity."""
    frame, friction, jac, dim = d.contact_frame, d.contact_friction, d.efc_J, d.contact_dim[c]
    x = (frame[c, 0], frame[c, 1], frame[c, 2])
    normal = dot3(x, lin)
    if dim == 1:
        jac[at] = normal
        return
    y, z = (frame[c, 3], frame[c, 4], frame[c, 5]), (frame[c, 6], frame[c, 7], frame[c, 8])
    if elliptic:
        jac[at] = normal
        jac[at + nv] = dot3(y, lin)
        jac[at + 2 * nv] = dot3(z, lin)
        if dim > 3:
            jac[at + 3 * nv] = dot3(x, rot)
        if dim > 4:
            jac[at + 4 * nv] = dot3(y, rot)
            jac[at + 5 * nv] = dot3(z, rot)
        return
    edges(jac, at, nv, normal, friction[c, 0] * dot3(y, lin))
    edges(jac, at + 2 * nv, nv, normal, friction[c, 1] * dot3(z, lin))
    if dim > 3:
        edges(jac, at + 4 * nv, nv, normal, friction[c, 2] * dot3(x, rot))
    if dim > 4:
        edges(jac, at + 6 * nv, nv, normal, friction[c, 3] * dot3(y, rot))
        edges(jac, at + 8 * nv, nv, normal, friction[c, 4] * dot3(z, rot))


@kernel
def edges(jac, at, nv, normal, tangent):
    """Two opposite edges of a pyramid."""
    jac[at] = normal + tangent
    jac[at + nv] = normal - tangent

"""Readings of joint and tendon limits: the sensor finds the limit's row among the constraints."""

from tumble.physics.kernel import kernel


@kernel
def limit_row(d, kind, i):
    """The first limit row of a constraint type that belongs to joint or tendon i; -1 while the limit is not active."""
    first = d.ne + d.nf
    for r in range(first, first + d.nl):
        if d.efc_type[r] == kind and d.efc_id[r] == i:
            return r
    return -1

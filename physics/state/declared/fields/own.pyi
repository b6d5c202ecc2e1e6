"""Declarations of physics/state/fields/own.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

class OwnOptionFields:
    """`OWN_OPTION` of the table."""

    tumble_contact_model: Integer
    """what a constraint force is (ContactModel): 0 soft and convex, 1 LCP [1]"""
    tumble_threads: Integer
    """threads that solve islands, the calling one among them: 1 to 128 [1]"""
    tumble_lcp_method: Integer
    """LCP: splitting (Splitting): 0 Jacobi, 1 Gauss-Seidel, 2 SOR, 3 conjugate [1]"""
    tumble_lcp_block: Integer
    """LCP: 1: normal and tangents of a contact at once, a 3x3 block; 0: row by row [1]"""
    tumble_lcp_omega: Real
    """LCP: relaxation of SOR, between 0 and 2 [1]"""
    tumble_lcp_sweeps: Integer
    """LCP: most sweeps over all rows in a step [1]"""
    tumble_lcp_tolerance: Real
    """LCP: the sweeps stop when the natural map is smaller [m/s or rad/s]"""
    tumble_lcp_stabilization: Real
    """LCP: part of a violation that a step takes back, 0 to 1 [1]"""
    tumble_lcp_slop: Real
    """LCP: violation of one-sided constraints that is left alone [m or rad]"""
    tumble_lcp_speed: Real
    """LCP: most speed with which violations are taken back [m/s or rad/s]"""
    tumble_lcp_restitution: Real
    """LCP: speed of separation over that of approach in a contact, 0 to 1 [1]"""
    tumble_lcp_rest: Real
    """LCP: a contact that approaches more slowly does not bounce [m/s]"""

class OwnFlexFields:
    """`OWN_FLEX` of the table."""

    flex_elastic: Array[np.int32]
    """what its material resists, in bits: 1 bending, 2 stretching; 0: nothing [1], shape (nflex,)"""
    flex_young: Array[np.float64]
    """Young's modulus [Pa], shape (nflex,)"""
    flex_poisson: Array[np.float64]
    """Poisson's ratio: 0 or more, less than 0.5 [1], shape (nflex,)"""
    flex_thickness: Array[np.float64]
    """thickness of the material (dim 2), apart from that of contacts [m], shape (nflex,)"""

class LcpFields:
    """`LCP` of the table."""

    nlcp: Integer
    """rows that the LCP has made ready; 0: the rows are those of the soft model [1]"""
    lcp_residual: Real
    """LCP: natural map of the impulses; above lcp_tolerance: not converged [m/s or rad/s]"""
    lcp_impulse: Array[np.float64]
    """LCP: lambda, the impulse of each row in the step [N s or N m s], shape (maxefc,), nlcp rows in use"""
    lcp_velocity: Array[np.float64]
    """LCP: w = A lambda + b, stabilization included [m/s or rad/s], shape (maxefc,), nlcp rows in use"""
    lcp_b: Array[np.float64]
    """LCP: w without impulses [m/s or rad/s], shape (maxefc,), nlcp rows in use"""
    lcp_low: Array[np.float64]
    """LCP: least impulse of each row [N s or N m s], shape (maxefc,), nlcp rows in use"""
    lcp_high: Array[np.float64]
    """LCP: most impulse; contact friction: coefficient [N s, N m s; 1, m], shape (maxefc,), nlcp rows in use"""
    lcp_base: Array[np.int32]
    """LCP: row whose impulse times lcp_high bounds this one; -1: none [1], shape (maxefc,), nlcp rows in use"""
    lcp_size: Array[np.int32]
    """LCP: rows of the block that begins at each row [1], shape (maxefc,), nlcp rows in use"""
    lcp_disc: Array[np.int32]
    """LCP: rows from here on that one disc limits; 0: own bounds [1], shape (maxefc,), nlcp rows in use"""
    lcp_diag: Array[np.float64]
    """LCP: diagonal of A [1/kg or 1/(kg m^2)], shape (maxefc,), nlcp rows in use"""
    lcp_cross: Array[np.float64]
    """LCP: entries 01, 02, 12 of the block that begins here [1/kg, ...], shape (maxefc, 3), nlcp rows in use"""
    lcp_next: Array[np.float64]
    """LCP: the impulses that a Jacobi sweep, or a disc, finds [N s or N m s], shape (maxefc,), nlcp rows in use"""
    lcp_best: Array[np.float64]
    """LCP: the impulses of the smallest natural map so far [N s or N m s], shape (maxefc,), nlcp rows in use"""
    lcp_start: Array[np.float64]
    """LCP: the impulses before a sweep [N s or N m s], shape (maxefc,), nlcp rows in use"""
    lcp_search: Array[np.float64]
    """LCP: conjugate direction of the impulses [N s or N m s], shape (maxefc,), nlcp rows in use"""
    lcp_rownnz: Array[np.int32]
    """LCP: nonzeros of each row of lcp_half [1], shape (maxefc,), nlcp rows in use"""
    lcp_rowadr: Array[np.int32]
    """LCP: start of each row of lcp_half [1], shape (maxefc,), nlcp rows in use"""
    lcp_half: Array[np.float64]
    """LCP: J M^-1/2, rows of nonzeros: A is this times its transpose [kg^-1/2, ...], shape (maxL,)"""
    lcp_colind: Array[np.int32]
    """LCP: dofs of the nonzeros of lcp_half [1], shape (maxL,)"""
    lcp_momentum: Array[np.float64]
    """LCP: lcp_half' lambda, which is M^1/2 times M^-1 J' lambda [kg^1/2 m/s, ...], shape (nv,)"""
    lcp_start_momentum: Array[np.float64]
    """LCP: lcp_momentum before a sweep [kg^1/2 m/s, ...], shape (nv,)"""
    lcp_search_momentum: Array[np.float64]
    """LCP: lcp_half' lcp_search [kg^1/2 m/s, ...], shape (nv,)"""
    lcp_free: Array[np.float64]
    """LCP: velocity after the step without constraints [m/s or rad/s], shape (nv,)"""

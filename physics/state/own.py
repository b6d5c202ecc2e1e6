"""Options beyond the reference: the enumerations and the default values of `m.tumble`."""

from __future__ import annotations

from enum import IntEnum


class ContactModel(IntEnum):
    """Contact models: `m.tumble.contact_model`."""

    SOFT = 0  # the reference's convex optimization of soft constraints
    LCP = 1  # hard constraints of the velocity after the step, a linear complementarity problem


class Splitting(IntEnum):
    """Splittings of the LCP's matrix: `m.tumble.lcp_method`."""

    JACOBI = 0  # all rows at once
    GAUSS_SEIDEL = 1  # one row after the other
    SOR = 2  # the same, each update times lcp_omega
    CONJUGATE = 3  # sweeps of Gauss-Seidel, combined as by conjugate gradients


DEFAULTS: dict[str, float] = {
    "tumble_contact_model": ContactModel.SOFT,
    "tumble_threads": 1,
    "tumble_lcp_method": Splitting.CONJUGATE,
    "tumble_lcp_block": 1,
    "tumble_lcp_omega": 1.3,
    "tumble_lcp_sweeps": 1000,
    "tumble_lcp_tolerance": 1e-8,
    "tumble_lcp_stabilization": 0.2,
    "tumble_lcp_slop": 1e-4,
    "tumble_lcp_speed": 1.0,
    "tumble_lcp_restitution": 0.0,
    "tumble_lcp_rest": 0.05,
}

"""Declarations of physics/state/fields/record.py. Written by packaging/typed_fields.py."""

import numpy as np

from tumble.physics.state.declared.attribute import Array, Integer, Real

class RecordFields:
    """`RECORD` of the table."""

    record_stage: Integer
    """the stage that records; 0: recording is off [address]"""
    record_limit: Integer
    """entries that record_numbers may grow to [1]"""
    record_lost: Integer
    """1: the record does not hold all iterations, it has reached its limit [1]"""
    record_rows: Integer
    """constraint rows of the problem that is recorded [1]"""
    record_parts: Integer
    """islands that are recorded each on its own; 0: everything at once [1]"""
    record_made: Integer
    """most iterates that one island had, of the solver and the no-slip pass, kept or not [1]"""
    record_used: Integer
    """slots that hold iterates [1]"""
    record_width: Integer
    """numbers in a slot: one iteration of all islands [1]"""
    record_slots: Integer
    """slots that there are [1]"""
    record_base: Integer
    """where in a slot the part of the present island begins [1]"""
    record_kind: Integer
    """what the stage that records is asked to do: see state/iterates.py [1]"""
    record_iteration: Integer
    """handed to it: iteration [1]"""
    record_evaluations: Integer
    """handed to it: evaluations of the line search [1]"""
    record_cost: Real
    """handed to it: primal cost [J/s^2]"""
    record_gradient: Real
    """handed to it: scaled norm of the gradient [1]"""
    record_improvement: Real
    """handed to it: improvement as in solverstat_improvement [1]"""
    record_alpha: Real
    """handed to it: step length along the search direction [1]"""
    record_slope: Real
    """handed to it: slope as in solverstat_lineslope [1]"""
    record_residual: Real
    """handed to it: the solver's own measure as in solverstat_gradient [1]"""
    record_numbers: Array[np.float64]
    """the iterates: see state/iterates.py [N, m/s^2, 1, ...], shape (maxR,)"""
    record_start: Array[np.float64]
    """the state solved for: as mj_getState of all, then tree_asleep [m, m/s, N, ...], shape (maxS,)"""

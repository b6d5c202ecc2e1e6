"""Declarations of physics/state/fields/buffers.py. Written by packaging/typed_fields.py."""

from tumble.physics.state.declared.attribute import Integer

class CapacityFields:
    """`CAPACITY` of the table."""

    maxcon: Integer
    """contacts there is room for [1]"""
    needcon: Integer
    """contacts that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxefc: Integer
    """constraint rows there is room for [1]"""
    needefc: Integer
    """constraint rows that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxJ: Integer
    """entries of efc_J there is room for [1]"""
    maxA: Integer
    """entries of efc_AR there is room for [1]"""
    needA: Integer
    """entries of efc_AR that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxH: Integer
    """entries of the Newton solver's matrix there is room for [1]"""
    needH: Integer
    """entries of the Newton solver's matrix that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxD: Integer
    """entries of a small island's dense Jacobian there is room for [1]"""
    needD: Integer
    """entries of a small island's dense Jacobian that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxL: Integer
    """entries of lcp_half there is room for [1]"""
    needL: Integer
    """entries of lcp_half that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxR: Integer
    """entries of record_numbers there is room for [1]"""
    needR: Integer
    """entries of record_numbers that did not fit: the capacity asked for, 0 when all is well [1]"""
    maxS: Integer
    """entries of record_start there is room for [1]"""
    maxisland: Integer
    """islands there is room for [1]"""
    maxlane: Integer
    """working memories of threads beyond the first that solve islands there is room for [1]"""
    needlane: Integer
    """threads that the islands should be solved by; 0 when there are so many [1]"""

"""Constraint rows: contacts, limits, dry friction and equalities, with their impedance and reference acceleration."""

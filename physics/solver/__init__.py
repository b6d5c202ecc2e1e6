"""Constraint solvers: primal (Newton, CG), dual (PGS, no-slip) and LCP, with their costs and records."""

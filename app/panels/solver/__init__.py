"""Convergence of the last step, other solvers beside it, and the history of all steps."""

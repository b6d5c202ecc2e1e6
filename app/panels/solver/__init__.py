"""Convergence of the last step compared with other solvers, and the history of all steps."""

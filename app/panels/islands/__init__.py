"""Constraint islands and sleep: which trees are solved together, which sleep and why."""

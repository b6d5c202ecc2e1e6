"""Constraint islands and sleep: who is solved together, who sleeps and why."""

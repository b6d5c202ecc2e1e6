"""Forks of the simulation: other settings from the same state, and how far they depart."""

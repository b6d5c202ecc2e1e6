"""Breakpoints: conditions that stop the simulation."""

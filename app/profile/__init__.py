"""Timing of steps, measured only while something shows it."""

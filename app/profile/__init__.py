"""Timing of steps, measured only while displayed."""

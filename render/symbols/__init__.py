"""Symbols of what has no shape: actuators, tendons, boxes of volumes, and the lines they are drawn with."""

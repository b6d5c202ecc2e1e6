"""Readings of all sensors, by the stage that their inputs need: position, velocity or acceleration."""

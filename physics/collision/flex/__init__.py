"""Collision of flexes: with geoms, with each other, and with themselves."""

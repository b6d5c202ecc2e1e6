"""Triangles: unit primitives, the model's meshes with their hulls, height fields and skins, and simpler versions of them."""

SIMPLIFY = "--simplify-meshes"  # the argument by which the frozen program starts itself to simplify meshes: see simplifier.py

"""Triangles: unit primitives, the model's meshes with their hulls, height fields and skins, and simpler versions of them."""

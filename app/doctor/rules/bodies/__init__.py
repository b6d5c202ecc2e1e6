"""Rules about bodies: their masses, inertias, meshes, and what keeps them from colliding."""

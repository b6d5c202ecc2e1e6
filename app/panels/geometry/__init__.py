"""Size, position and orientation of geoms, sites and cameras, and height fields, edited while the simulation runs."""

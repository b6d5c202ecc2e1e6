"""Any two convex shapes, known by their support functions."""

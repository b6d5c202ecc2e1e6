"""Intersections of rays with geoms."""

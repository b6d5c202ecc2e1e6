"""Shapes and poses of geoms, sites, cameras and height fields, edited while the model runs."""

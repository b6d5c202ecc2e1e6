"""Where a ray meets a geom."""

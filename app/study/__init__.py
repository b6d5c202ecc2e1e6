"""Studies: many runs of a model with other numbers, and what is measured of them."""

"""The collision of two geoms closely: why there is one or none, and its search step by step."""

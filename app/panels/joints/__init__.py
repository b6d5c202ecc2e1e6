"""A slider for each hinge and slide joint."""

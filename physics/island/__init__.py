"""Islands: which constrained trees must be solved together, and the problem of each gathered from the whole."""

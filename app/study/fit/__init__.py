"""Parameters of a model from measured data: records, windows, unknowns, search, uncertainty, report."""

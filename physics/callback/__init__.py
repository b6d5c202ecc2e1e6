"""Functions of the user's that the pipeline calls: in Python, or compiled. See docs/decisions/callbacks.md."""

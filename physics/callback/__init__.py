"""Functions that users install and the pipeline calls: in Python, or compiled. See docs/decisions/callbacks.md."""

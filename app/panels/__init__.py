"""The panels around the view: one folder each, independent of each other, listed in `table.py`."""

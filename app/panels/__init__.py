"""The panels around the view: a module or a folder each, independent of each other, listed in `table.py`."""

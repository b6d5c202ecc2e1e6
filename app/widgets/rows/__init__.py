"""Rows in panels: sliders in a column, and filters that say what they hide."""

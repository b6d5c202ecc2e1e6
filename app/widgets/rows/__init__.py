"""Rows in panels: sliders in a column, and filters that show what they hide."""

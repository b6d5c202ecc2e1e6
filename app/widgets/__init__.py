"""Widgets that several panels use: docks, rows of numbers, plots, forms."""

"""Plots of the runs of a study: in each module what is drawn is computed by a function, and shown by a widget."""

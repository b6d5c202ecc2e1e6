"""Panels beside the view: one dock, one file, no logic."""

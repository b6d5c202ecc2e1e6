"""Picking in the view: selection, tool tips and rubber bands."""

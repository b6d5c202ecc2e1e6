"""Soft bodies looked at: strain, energy and contact of each element, and which of them limits the time step."""

"""Queries that run compiled: what scripts ask at every step of a control loop."""

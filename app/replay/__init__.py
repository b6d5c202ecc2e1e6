"""Replays: a simulation as its model, where it began and what was done to it, so that it runs again bit for bit."""

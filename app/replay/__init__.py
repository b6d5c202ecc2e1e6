"""Replays: a simulation as its model, initial state and inputs, so that it runs again bit for bit."""

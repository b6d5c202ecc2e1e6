"""Inputs of actuators: sliders, signal generators and controller files."""

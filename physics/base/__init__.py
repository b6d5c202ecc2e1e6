"""Basics of all of physics: archives from anywhere, files that are whole, a clock for kernels, machine code by name."""

"""Models and data outside of memory: in files of numbers, and as text."""

"""Models in words: names, units, and expressions over their numbers."""

"""Time of a step by stage, island and pair of geoms, and over time."""

"""Where the time of a step goes: by stage, by island, by pair of geoms, over time."""

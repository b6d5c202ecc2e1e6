"""What shows motion in a still: trails, poses between two moments, ghosts of the past."""

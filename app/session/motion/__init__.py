"""Motion in the view: trails of bodies, poses between two steps, ghosts of the past."""

"""Help, Reading the seeds: a page of the docs in the window, whose names of panels, menus, examples and programs can be clicked."""

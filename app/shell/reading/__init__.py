"""Help, Reading the seeds: a page of docs/ in the window, with links to the places, examples and programs that it names."""

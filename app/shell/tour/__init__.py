"""For newcomers: the first hint over the view, and the tour in the program, step by step in the real window."""

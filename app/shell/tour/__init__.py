"""For newcomers: the first sentence over the view, and the tour inside the program, step by step on the real window."""

"""How the view's pictures are made in time: their number a second, and their quality."""

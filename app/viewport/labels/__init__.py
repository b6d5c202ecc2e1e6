"""Labels over the picture: how they are painted."""

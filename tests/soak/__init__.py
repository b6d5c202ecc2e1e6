"""`make soak`: the real window is played with for hours, at random but from a seed, and what grows meanwhile is said."""

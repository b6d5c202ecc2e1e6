"""The inverse panel: which forces make a motion that was played, or that runs through keyframes."""

"""The window's end of the viewer that a script has opened."""

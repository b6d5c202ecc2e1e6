"""The 3D view: the widget, what the mouse means, and what is written over the picture."""

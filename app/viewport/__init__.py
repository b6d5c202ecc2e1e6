"""The 3D view: the widget, mouse input, and the view's overlay."""

"""What a script needs for the viewer: the process of the window, what goes to it and what comes back."""

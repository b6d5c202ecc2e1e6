"""What leaves the window and comes back: the model as MJCF, state and camera by the clipboard, changes in no file."""

"""Changes to the model: parameters and options, undo, and patches of the MJCF file."""

"""The window: PyQt6 over render over physics."""

"""The window: PyQt6 over render over physics."""

if __name__ == "app":  # from a checkout's folder, where all would exist twice
    raise ModuleNotFoundError("it is tumble.app", name="app")

"""What is open in the window: loading, reloading, the simulation's history, the selection."""

"""What is open in the window: loading, reloading, the simulation's past, what is selected."""

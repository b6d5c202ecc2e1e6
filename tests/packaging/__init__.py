"""What stands around the program where it is installed."""

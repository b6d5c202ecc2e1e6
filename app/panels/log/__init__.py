"""Messages of the program and the engine."""

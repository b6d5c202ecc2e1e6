"""What the program and the engine have to say."""

"""What is drawn: a model and a frame of poses become a draw list, with its decoration, lights and labels."""

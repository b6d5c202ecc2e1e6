"""The draw list: a model and a frame of poses become what is drawn, with decoration, lights and labels."""

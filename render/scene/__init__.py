"""The draw list: turns a model and a frame of poses into instances, with decoration, lights and labels."""

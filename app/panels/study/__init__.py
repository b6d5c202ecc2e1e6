"""Studies: a file of many runs of a model, their table and plots, and the way back to the model."""

"""Choice of a model's compiled stages, and memory for what they store."""

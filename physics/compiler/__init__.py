"""From the tree of elements to the arrays of a model, in ordered passes."""

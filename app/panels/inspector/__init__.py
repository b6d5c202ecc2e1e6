"""All elements of the model as a tree, and the fields of the one chosen."""

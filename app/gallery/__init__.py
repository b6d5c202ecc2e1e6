"""The model library as the user sees it: a gallery of all models that are known by name."""

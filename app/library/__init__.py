"""The model library: models by name and out of archives, and the dialog that shows all of them."""

"""Controllers: Python files of the user that run at every step, once he has agreed to trust them."""

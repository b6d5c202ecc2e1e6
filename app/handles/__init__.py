"""Tools of the view that place and measure: the handles of a body, and distances."""

"""Frame rate and quality of the view's pictures."""

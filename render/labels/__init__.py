"""Text labels: what they say, and where on the picture there is room for them."""

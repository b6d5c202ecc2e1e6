"""MJCF: text -> elements with values, places and defaults. The compiler makes a model of them."""

"""Contacts in the picture: discs, arrows, friction cones, patches of pressure, and what a legend says of them."""

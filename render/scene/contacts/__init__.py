"""Contacts in the picture: discs, arrows, friction cones, patches of pressure, and their legend."""

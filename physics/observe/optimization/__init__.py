"""The convex problem that a contact is part of, and sections through it."""

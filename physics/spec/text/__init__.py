"""Specs as text: MJCF in a canonical form, and archives with the files that go with it."""

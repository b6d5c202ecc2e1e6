"""The time line: back to any moment, on from there, bookmarks."""

"""The timeline: back to any moment, on from there, bookmarks."""

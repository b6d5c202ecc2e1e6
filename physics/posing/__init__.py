"""Poses found for a wish: joint positions that bring a point of a body where it is wanted."""

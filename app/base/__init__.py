"""Basics of all of app/: files, settings, processes, work in the background."""

"""The keyframes panel: saved states with names and pictures; load, rename, delete, write to the file."""

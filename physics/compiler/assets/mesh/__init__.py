"""Meshes."""

"""Signed distance fields as assets: octrees of meshes, and meshes of functions."""

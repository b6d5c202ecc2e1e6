"""Convex decomposition of meshes: convex hulls that fill hollow meshes are the most common surprise for users."""

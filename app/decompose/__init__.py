"""Meshes cut into convex parts: a hull that fills a cup is what people stumble over most."""

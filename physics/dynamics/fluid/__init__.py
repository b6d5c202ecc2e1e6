"""Forces of the surrounding medium, by two models: boxes of a body's inertia, or ellipsoids in place of its geoms."""

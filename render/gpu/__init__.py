"""What the renderer keeps on the graphics card: meshes, textures and shader programs."""

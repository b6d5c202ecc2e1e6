"""Resources on the graphics card: meshes, textures and shader programs."""

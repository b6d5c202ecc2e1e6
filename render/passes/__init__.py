"""The passes of one picture, one file each: shadow, reflection, geom, skybox, overlay (decoration), pick."""

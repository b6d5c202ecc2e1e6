"""The passes of one picture, one file each: shadow, reflection, geometry, skybox."""

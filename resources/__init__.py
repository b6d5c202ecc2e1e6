"""Files that ship with the product: shaders, models, icons, themes."""

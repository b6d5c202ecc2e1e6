"""What went wrong, over the view, and the text editor in which it is mended."""

"""What lies under a pixel, computed on the processor."""

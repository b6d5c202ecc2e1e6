"""Drawing the abstract picture, under the names of the reference: contexts, buffers, pixels, overlays."""

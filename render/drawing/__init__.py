"""Drawing the abstract picture, under the names of the reference: contexts, buffers, pixels, and what lies flat on a picture."""

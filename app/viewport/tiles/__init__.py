"""Several views in the viewport: arrangement, contents and header of each, and pictures of all."""

"""Several views in the viewport: where each lies, what it shows, its header, and pictures of all."""

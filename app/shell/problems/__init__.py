"""Problems shown over the view, and the text editor to fix them."""

"""Key cameras on the time line, and the view that follows them."""

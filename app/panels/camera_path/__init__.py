"""Key cameras on the timeline, and the view that follows them."""

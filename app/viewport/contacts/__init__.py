"""What the view says of contacts: the choice of one by a click, its mark, the legend, and how long the arrows are."""

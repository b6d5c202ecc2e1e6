"""Trees at rest: which fall asleep, what wakes them, and the lists of what is awake."""

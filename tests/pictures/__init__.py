"""Pictures of the window for people to look at: layouts, models, sizes and themes."""

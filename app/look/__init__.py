"""The looks of the window: theme, icons, and the table of actions."""

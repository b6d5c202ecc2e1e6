"""How the window looks: theme, icons, and the table of actions."""

"""Edit, Preferences: keys of actions, and the settings of the window."""

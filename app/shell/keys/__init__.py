"""The keyboard in the window: whose a key is, from part to part, letters of menus, the card of keys, Preferences."""

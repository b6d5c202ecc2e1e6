"""Keys and settings: whose a key is, keys and letters of actions, the card of keys, and Edit, Preferences."""

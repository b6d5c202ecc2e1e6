"""Keys and settings: key ownership, keys and mnemonics of actions, the card of keys, and Edit, Preferences."""

"""What the window says about models: names, units, words, and expressions over their numbers."""

"""The balance panel: the equation of motion by origin, its power and its energy."""

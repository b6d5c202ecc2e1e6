"""Where the time of steps goes: measured only while something shows it."""

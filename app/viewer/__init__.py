"""The window that a script has opened over its own model and data: both ends, in two processes. The script's knows no Qt."""

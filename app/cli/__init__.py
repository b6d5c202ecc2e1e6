"""The command line without a window: one file a command; `run` in main.py chooses among them."""

"""The command palette: one field that finds every action, panel, element and signal."""

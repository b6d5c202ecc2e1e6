"""Findings of `tumble check` in the running model."""

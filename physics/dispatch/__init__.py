"""Which compiled stages a model needs, and room for what they store."""

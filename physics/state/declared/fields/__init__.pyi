"""The fields by the modules of their table. Written by packaging/typed_fields.py."""

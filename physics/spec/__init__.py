"""MjSpec: models as programs edit them. Elements with fields by one table; read from files, compiled, attached, written."""

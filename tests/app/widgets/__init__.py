"""Tests of fields, rows and docks."""

"""Tests of collisions with flexes."""

"""Pairs of shapes with a closed form, and pairs made of such parts."""

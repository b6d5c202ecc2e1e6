"""Contacts between geoms: candidate pairs, narrow phases, rays and distances."""

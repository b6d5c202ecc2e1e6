"""Contacts and constraint rows of the moment, and the friction cone of one contact."""

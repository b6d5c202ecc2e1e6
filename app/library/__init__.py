"""Models by name and out of archives: where they are found, how archives are unpacked, and the dialog that shows them all."""

"""Contact and constraint parameters of one element, in MuJoCo's numbers and in physical units."""

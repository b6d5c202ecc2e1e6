"""Fields that several structures share."""

from __future__ import annotations

POSE = """
    pos    double 3 = 0 0 0    : pos
    quat   double 4 = 1 0 0 0  : quat
    alt    orientation
"""
SOLVER = """
    solref  double 2 = 0.02 1                 : solref
    solimp  double 5 = 0.9 0.95 0.001 0.5 2   : solimp
"""
INFO = "info string\n"
USER = "userdata doubles : user\n"

"""Fields that several structures share."""

from __future__ import annotations

POSE = """
    pos   double  : pos
    quat  double  : quat
    alt   orientation
"""
SOLVER = """
    solref  double  : solref
    solimp  double  : solimp
"""
INFO = "info string\n"
USER = "userdata doubles : user\n"
PLUGIN = "plugin_name string\nactive byte\n" + INFO

"""Faults of the system, real ones: disks that are full, devices, clocks, homes, memory."""

"""Processes of low priority: they take only processor time that the window and the simulation leave."""

from __future__ import annotations

import os

NICE = 10  # on the scale of Unix from 0 (the user's own) to 19


def give_way(pid: int, *, group: bool = False) -> None:
    """Let a process go behind others; group: all threads and processes of the group that it leads.

    Where the system has no such thing nothing happens, and a process that has ended by now needs none.
    """
    if not hasattr(os, "setpriority"):
        return
    own = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        os.setpriority(os.PRIO_PGRP if group else os.PRIO_PROCESS, pid, max(NICE, own))
    except ProcessLookupError:
        return

"""Stands where a child process looks for the package mujoco, and hands over to our namespace.

A child starts as any Python does, without what its parent has installed in itself; the search path it does have from it.
"""

import sys
from importlib import import_module
from pathlib import Path

_ROOT = str(Path(__file__).resolve().parents[3])

if __name__ == "mujoco":  # else it is read as a part of our own package
    del sys.modules[__name__]  # who imports it is given what stands in its place then
    sys.path.insert(0, _ROOT)  # for the time of an import: a program may be run from elsewhere
    try:
        import_module("tumble.mujoco.stand_in").install()
    finally:
        sys.path.remove(_ROOT)
    import_module(__name__)

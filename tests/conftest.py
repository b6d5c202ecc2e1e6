"""What all tests have in common: how Python and OpenGL's software renderer work beside the other workers."""

import gc
import os
from collections.abc import Generator

import pytest

# Every core has a worker: a picture is drawn by the thread that asks for it, and so are matrices factorized: OpenBLAS's threads
# wait for one another by spinning, which takes the other workers' cores. To be said before NumPy is imported.
os.environ.setdefault("LP_NUM_THREADS", "0")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A shell without a screen may name a platform of Qt's that has no OpenGL: windows are shown on a screen that the tests start.
os.environ.pop("QT_QPA_PLATFORM", None)


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: tests of windows wait now and then, and leave one idle."""
    return (len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What was imported and collected stays: it is not looked through for garbage again and again."""
    gc.collect()
    gc.freeze()

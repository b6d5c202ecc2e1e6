"""What all tests have in common: how Python and OpenGL's software renderer work beside the other workers."""

import gc
import os
from collections.abc import Generator

import pytest

# Each worker has a core, so a picture is drawn by the thread that asks for it.
os.environ.setdefault("LP_NUM_THREADS", "0")


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

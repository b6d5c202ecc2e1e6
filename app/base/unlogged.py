"""Loggers that are silent for a while, because what they would say is said otherwise."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

# The program tells the engine's warnings with the names of the elements; the engine's own lines are for scripts.
ENGINE = ("tumble.physics.run", "tumble.physics.dispatch")


@contextmanager
def unlogged(*names: str) -> Iterator[None]:
    """Keep warnings of these loggers out of the log."""
    loggers = [logging.getLogger(name) for name in names]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)

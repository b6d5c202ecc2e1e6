"""Base of all enumerations: integers with names."""

from __future__ import annotations

from enum import IntEnum


class NamedNumber(IntEnum):
    """A number that prints as its name, `mjtJoint.mjJNT_HINGE`, and computes, compares and indexes as an int."""

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, wanted: str) -> str:
        """The name; as a format for numbers asks, the number."""
        return format(int(self), wanted) if wanted else str(self)

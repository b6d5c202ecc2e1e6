"""Errors of a file with their place, one or several."""

from __future__ import annotations

from typing import Protocol

from physics.errors import MjcfError


class SourcePlace(Protocol):
    """A place in a file, which prints as `file:line:column`."""

    @property
    def file(self) -> str:
        """The path, as it was given."""

    @property
    def line(self) -> int:
        """From 1."""

    @property
    def column(self) -> int:
        """From 1."""


class PlacedError(MjcfError):
    """An error at a place, or several: then the message has a line for each, and the rest is that of the first.

    where: the place, None where it is not known. errors: each error, in the order of the file; of a single one, itself.
    """

    def __init__(
        self,
        message: str,
        looks: tuple[str, ...] = (),
        element: object = None,
        what: str = "",
        where: SourcePlace | None = None,
        errors: tuple[PlacedError, ...] = (),
    ) -> None:
        super().__init__(message, looks, element, what)
        self.where = where
        self.errors = errors or (self,)

    @property
    def place(self) -> str:
        """Where it is, as `file:line:column`; "" where that is not known."""
        return "" if self.where is None else str(self.where)


def each_of(error: MjcfError) -> tuple[PlacedError, ...]:
    """The errors that one stands for."""
    if isinstance(error, PlacedError):
        return error.errors
    return (PlacedError(str(error), error.looks, error.element, error.what),)

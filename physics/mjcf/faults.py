"""Errors of a file that do not keep the rest of it from being read: gathered, and raised together in the order of the file.

Where nothing gathers, an error is raised at once. What follows from an error that is reported already is left out: further
errors at the same element, and further elements that name the same missing thing, which are counted. An error that hides others,
as of an element that is left out with the names in it, ends the reading at the next `settle`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from msgspec import Struct, field

from tumble.physics.errors import MjcfError, ModelError
from tumble.physics.mjcf.spec import Element, PlacedError, each_of, tree_of

T = TypeVar("T")
R = TypeVar("R")

MOST = 20  # errors that one message lists


class Faults(Struct):
    """The errors so far. repeats: how many more elements have the same cause, by the cause of an error in `causes`.

    places: of elements that are wrong.
    """

    errors: list[PlacedError] = field(default_factory=list)
    places: set[str] = field(default_factory=set)
    said: set[str] = field(default_factory=set)
    causes: dict[Hashable, int] = field(default_factory=dict)
    repeats: dict[int, int] = field(default_factory=dict)
    hiding: bool = False

    def add(self, error: PlacedError, cause: Hashable, again: bool) -> None:
        """Take in an error, unless it follows from one that is here."""
        place = error.place or str(error)
        known, again = place in self.places, again and str(error) not in self.said
        if cause is not None and cause in self.causes:
            first = self.causes[cause]
            self.repeats[first] = self.repeats.get(first, 0) + 1
        elif again or not known:
            if cause is not None:
                self.causes[cause] = len(self.errors)
            self.errors.append(error)
        self.places.add(place)
        self.said.add(str(error))

    def together(self) -> PlacedError:
        """One error of all, in the order of the file."""
        if len(self.errors) == 1 and not self.repeats:
            return self.errors[0]
        files = {file: k for k, file in enumerate(dict.fromkeys(error.where.file for error in self.errors if error.where))}

        def order(k: int) -> tuple[int, int, int]:
            where = self.errors[k].where
            return (len(files), 0, 0) if where is None else (files[where.file], where.line, where.column)

        errors = tuple(self._whole(k) for k in sorted(range(len(self.errors)), key=order))
        lines = [str(error) for error in errors[:MOST]]
        if len(errors) > MOST:
            lines.append(f"and {len(errors) - MOST} more")
        # The file may open without them where all concern its looks alone.
        looks = tuple(place for error in errors for place in error.looks) if all(error.looks for error in errors) else ()
        first = errors[0]
        return PlacedError("\n".join(lines), looks, first.element, first.what, first.where, errors)

    def _whole(self, k: int) -> PlacedError:
        error, more = self.errors[k], self.repeats.get(k, 0)
        if not more:
            return error
        text = f"{error} ({more} more element{'s name' if more > 1 else ' names'} it)"
        return PlacedError(text, error.looks, error.element, error.what, error.where)


_gathered: ContextVar[Faults | None] = ContextVar("faults", default=None)


def report(error: MjcfError, cause: Hashable = None, *, again: bool = False, hides: bool = False) -> None:
    """Remember an error, to be raised with the others; where nothing gathers, raise it.

    cause: what is wrong where that is no fault of the element, shared by others. again: it counts even where the element has an
    error already. hides: what is read from here on may seem wrong by it.
    """
    faults = _gathered.get()
    if faults is None:
        raise error
    for one in each_of(error):
        faults.add(one, cause, again)
    faults.hiding |= hides


@contextmanager
def tolerated(*, hides: bool = False) -> Iterator[None]:
    """Go on after the `with` where something in it raises MjcfError, which is reported."""
    try:
        yield
    except MjcfError as error:
        report(error, hides=hides)


def each(read: Callable[[T], R], elements: Iterable[T]) -> list[R]:
    """The results of `read` for all elements but those for which it raises MjcfError, which is reported."""
    results = []
    for element in elements:
        with tolerated():
            results.append(read(element))
    return results


def spoil(where: object) -> None:
    """Let the element at a place count as wrong by an error that was reported elsewhere."""
    faults = _gathered.get()
    if faults is not None:
        faults.places.add(str(where))


def is_faulty(where: object) -> bool:
    """True if the element at a place is wrong, as was reported: it is not to be used, what follows from that not reported."""
    faults = _gathered.get()
    return faults is not None and str(where) in faults.places


def has_fault(element: Element) -> bool:
    """True if an element is wrong, or something in it is."""
    faults = _gathered.get()
    return faults is not None and bool(faults.places) and any(str(one.where) in faults.places for one in tree_of(element))


def settle(*, always: bool = False) -> None:
    """Raise what is gathered, if it hides other errors; always: in any case."""
    faults = _gathered.get()
    if faults is not None and faults.errors and (always or faults.hiding):
        raise faults.together()


@contextmanager
def gathered() -> Iterator[None]:
    """Gather the errors of the `with`, and raise them at its end, or with the one that ends it."""
    if _gathered.get() is not None:  # of a file that this one names: they are raised with its own
        yield
        return
    faults = Faults()
    token = _gathered.set(faults)
    try:
        yield
        settle(always=True)
    except MjcfError as error:
        if not faults.errors:
            raise
        for one in each_of(error):
            faults.add(one, None, False)
        whole = faults.together()
        if each_of(error) == each_of(whole):
            raise
        raise whole from error
    except ModelError as error:  # too large, perhaps by what is wrong
        if not faults.errors:
            raise
        raise faults.together() from error
    finally:
        _gathered.reset(token)

"""What a soak writes down, a line of JSON an entry, so that a process that dies or hangs has said all that it has seen."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict


class Action(Struct, frozen=True):
    """One thing that was done. number: which one since the start; at, seconds: when it began and how long it took [s]."""

    number: int
    name: str
    at: float
    seconds: float
    about: str = ""


class Rest(Struct, frozen=True):
    """What the process holds while the window rests, always in the same state. warm: whether growth counts from here on.

    amounts: by resource, as `census.RESOURCES` declares them; types: living Python objects by type.
    """

    number: int
    at: float
    warm: bool
    amounts: dict[str, float]
    types: dict[str, int] = field(default_factory=dict)


class Unclean(Struct, frozen=True):
    """Something that must not be. action: what was being done; what: a word for the kind."""

    at: float
    action: str
    what: str
    text: str


class Told(Struct, frozen=True):
    """A warning that was logged: no fault, but worth a look where there are many."""

    at: float
    action: str
    text: str


Entry = Action | Rest | Unclean | Told
_KINDS = {kind.__name__: kind for kind in (Action, Rest, Unclean, Told)}


class Journal:
    """Appends entries to a file, each at once."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", buffering=1)

    def write(self, entry: Entry) -> None:
        self._file.write(json.dumps({"kind": type(entry).__name__, **asdict(entry)}) + "\n")

    def close(self) -> None:
        self._file.close()


def read(path: Path) -> Iterator[Entry]:
    """All entries; a last line that was cut off is none."""
    for line in path.read_text().splitlines():
        try:
            said: dict[str, Any] = json.loads(line)
        except ValueError:
            continue
        yield _KINDS[said.pop("kind")](**said)


def counts_between(entries: list[Entry]) -> list[Counter[str]]:
    """How often each action was done before each rest, since the rest before it."""
    result: list[Counter[str]] = []
    now: Counter[str] = Counter()
    for entry in entries:
        if isinstance(entry, Action):
            now[entry.name] += 1
        elif isinstance(entry, Rest):
            result.append(now)
            now = Counter()
    return result

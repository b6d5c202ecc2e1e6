"""Makes a mutant small while it does the same: files, members, elements, attributes and bytes are left out one after another.

Delta debugging: of a list, halves, quarters, ... are left out for as long as what is left fails in the same way.
"""

import copy
import hashlib
import json
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic
from typing import TypeVar

from tests.fuzz.asset_seeds import Files
from tests.fuzz.mutate_archive import packed, unpacked

T = TypeVar("T")
Fails = Callable[[Files], bool]

SECONDS = 40.0  # of one mutant


class Reducer:
    """fails: whether files still do what the mutant did."""

    def __init__(self, fails: Fails, seconds: float = SECONDS) -> None:
        self._fails, self._end = fails, monotonic() + seconds

    def reduced(self, files: Files) -> Files:
        """The smallest files that were found."""
        main = next(iter(files))
        names = self._fewer([name for name in files if name != main], lambda kept: {n: files[n] for n in (main, *kept)})
        files = {name: files[name] for name in (main, *names)}
        for name in sorted(files, key=lambda name: -len(files[name])):
            files = self._smaller(files, name)
        return files

    def _smaller(self, files: Files, name: str) -> Files:
        """With one file made smaller, as what it is."""
        data = files[name]
        try:
            root = ET.fromstring(data.decode()) if data.lstrip().startswith(b"<") else None
        except (ET.ParseError, UnicodeDecodeError, ValueError):
            root = None
        if root is not None and self._try(made := files | {name: ET.tostring(root)}):
            return made | {name: self._elements(root, lambda text: files | {name: text})}
        members = unpacked(data)
        if members and self._try(files | {name: packed(list(members.items()))}):
            kept = self._fewer(sorted(members), lambda names: files | {name: packed([(n, members[n]) for n in names])})
            return files | {name: packed([(n, members[n]) for n in kept])}
        listed = _listed(data)
        if listed and self._try(files | {name: json.dumps(listed).encode()}):
            return files | {name: json.dumps(self._fewer(listed,
            lambda kept: files | {name: json.dumps(kept).encode()})).encode()}
        if data.startswith(b"PK"):
            return files  # what is odd is how it is packed
        pieces = [data[k : k + 1] for k in range(len(data))] if len(data) < 4000 else _lines(data)
        return files | {name: b"".join(self._fewer(pieces, lambda kept: files | {name: b"".join(kept)}))}

    def _elements(self, root: ET.Element, made: Callable[[bytes], Files]) -> bytes:
        """The text of a tree without what it can do without."""
        best, again = root, True
        while again and monotonic() < self._end:
            again = False
            for at in range(len(list(best.iter())) - 1, 0, -1):
                smaller = _without_element(best, at)
                if smaller is not None and self._try(made(ET.tostring(smaller))):
                    best, again = smaller, True
        for at, element in enumerate(list(best.iter())):
            for attribute in list(element.attrib):
                smaller = copy.deepcopy(best)
                del list(smaller.iter())[at].attrib[attribute]
                if self._try(made(ET.tostring(smaller))):
                    best = smaller
        return ET.tostring(best)

    def _fewer(self, parts: Sequence[T], made: Callable[[Sequence[T]], Files]) -> list[T]:
        """The parts that cannot be left out."""
        kept, size = list(parts), max(1, len(parts) // 2)
        while kept and monotonic() < self._end:
            at, before = 0, len(kept)
            while at < len(kept):
                shorter = kept[:at] + kept[at + size :]
                if self._try(made(shorter)):
                    kept = shorter
                else:
                    at += size
            if size == 1 and len(kept) == before:
                break
            size = max(1, size // 2)
        return kept

    def _try(self, files: Files) -> bool:
        return monotonic() < self._end and self._fails(files)


def _listed(data: bytes) -> list[object] | None:
    """The list that a file is in JSON; None if it is none."""
    try:
        made = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return made if isinstance(made, list) else None


def _lines(data: bytes) -> list[bytes]:
    """Pieces of a large file: its lines, or parts of even length."""
    lines = data.splitlines(keepends=True)
    size = max(1, len(data) // 1000)
    return lines if 10 < len(lines) < 5000 else [data[k : k + size] for k in range(0, len(data), size)]


def _without_element(root: ET.Element, at: int) -> ET.Element | None:
    """A copy of a tree without one element, by its number in the order of the text."""
    made = copy.deepcopy(root)
    wanted = next((e for k, e in enumerate(made.iter()) if k == at), None)
    for parent in made.iter():
        if wanted is not None and wanted in list(parent):
            parent.remove(wanted)
            return made
    return None


# ---- what is kept: `cases/KIND/DIGEST-SEED`, a file as it is, or several in an archive *.files.zip


CASES = Path(__file__).parent / "cases"
_SEVERAL = ".files.zip"
MOST_BYTES = 200_000  # of a case that is kept with the tests


def keep(kind: str, files: Files, seed: int, folder: Path = CASES) -> Path:
    """Write a mutant; where to."""
    digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()[:10]
    place = folder / kind.replace(" ", "_")
    place.mkdir(parents=True, exist_ok=True)
    name, data = next(iter(files.items()))
    path = place / f"{digest}-{seed}{Path(name).suffix if len(files) == 1 else _SEVERAL}"
    path.write_bytes(data if len(files) == 1 else packed(list(files.items())))
    return path


def kept() -> Iterator[tuple[str, Path]]:
    """The kind of each case, and its path."""
    for path in sorted(CASES.glob("*/*")):
        yield path.parent.name.replace("_", " "), path


def read(path: Path, name: str) -> tuple[Files, int]:
    """The files of a case, and the seed of what is done with them. name: of the file, where it is one alone."""
    seed = int(path.name.partition(".")[0].rpartition("-")[2])
    if not path.name.endswith(_SEVERAL):
        return {name: path.read_bytes()}, seed
    with zipfile.ZipFile(path) as archive:
        return {member: archive.read(member) for member in archive.namelist()}, seed

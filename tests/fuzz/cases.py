"""What once went wrong, kept as small files: `cases/KIND/DIGEST-SEED`, a file as it is, or several in an archive *.files.zip."""

import hashlib
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.asset_seeds import Files
from tests.fuzz.mutate_archive import packed

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

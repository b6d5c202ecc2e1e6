"""Models that others have published, where they are installed: every file that the reference reads is a seed.

FUZZ_CORPORA names folders, separated as in PATH; installed packages with models are found by themselves. What is not there is
skipped. A mutant of such a model is what was changed: the text, or one of the files that it names; the rest is read where it is.
"""

import functools
import os
import random
import re
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.asset_seeds import Files
from tests.fuzz.mutate import mutant
from tests.fuzz.mutate_bytes import mutant_file

PACKAGES = ("gymnasium", "dm_control", "gymnasium_robotics", "metaworld", "robosuite", "mujoco_playground", "mujoco")
VARIABLE = "FUZZ_CORPORA"
_MOST_TEXT, _MOST_FILE = 2_000_000, 3_000_000  # bytes of what is changed: larger ones only make mutants slow
_FILE = re.compile(rb'file\w*="([^"]+)"')
_ROOT = re.compile(rb"<(mujoco|robot)\b")


def folders() -> list[Path]:
    """The folders of models that there are."""
    named = [Path(name) for name in os.environ.get(VARIABLE, "").split(os.pathsep) if name]
    specs = [find_spec(name) for name in PACKAGES]
    installed = [Path(place) for spec in specs if spec is not None for place in spec.submodule_search_locations or ()]
    return [path for path in [*named, *installed] if path.is_dir()]


@functools.cache
def corpus() -> dict[str, Path]:
    """The model files by a name that is the same on every computer: their path in the folder of models."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted([*folder.rglob("*.xml"), *folder.rglob("*.urdf")]):
            if path.stat().st_size <= _MOST_TEXT and _ROOT.search(path.read_bytes()[:4000]):
                found.setdefault(f"{folder.name}/{path.relative_to(folder)}", path.resolve())
    return found


def named_files(path: Path, text: bytes) -> list[Path]:
    """The files that a model names and that are found by the simplest of rules, with those of the files that it includes."""
    found: dict[Path, None] = {}
    folders = {path.parent, *(path.parent / d.decode("utf-8", "replace") for d in re.findall(rb'dir="([^"]+)"', text))}
    for name in _FILE.findall(text):
        for folder in sorted(folders):
            file = Path(os.path.normpath(folder / name.decode("utf-8", "replace")))
            if file.is_file():
                found[file] = None
    return list(found)


def corpus_mutant(rng: random.Random, path: Path) -> Files:
    """A model of a corpus with its text changed, or a file that it names; files have absolute paths, the model is the first."""
    data = path.read_bytes()
    others = named_files(path, data) if rng.random() < 0.35 else []
    if others:
        chosen = rng.choice(others)
        if chosen.stat().st_size <= _MOST_FILE:
            held = chosen.read_bytes()
            made = _text(rng, held) if chosen.suffix == ".xml" else mutant_file(rng, chosen.name.lower(), held, [])
            return {str(path): data, str(chosen): made}
    return {str(path): _text(rng, data)}


def _text(rng: random.Random, data: bytes) -> bytes:
    try:
        return mutant(rng, data.decode("utf-8")).encode("utf-8", "replace")
    except (SyntaxError, UnicodeDecodeError):  # some of those published are no XML
        return mutant_file(rng, "x.xml", data, [])


def self_contained(files: Files) -> Files | None:
    """The same with all that the model names inside, for a case that needs no corpus; None if that is too much."""
    main = Path(next(iter(files)))
    found, pending, total = {main.name: files[str(main)]}, [main], 0
    while pending:
        path = pending.pop()
        data = files.get(str(path)) or path.read_bytes()
        for other in named_files(path, data) if path.suffix in (".xml", ".urdf") else ():
            name = os.path.relpath(other, main.parent)
            if name not in found:
                found[name] = files.get(str(other)) or other.read_bytes()
                total += len(found[name])
                pending.append(other)
        if total > 8 * _MOST_FILE:
            return None
    return found

"""Files that elements name: where they are searched, and which name was probably meant if there is none."""

from __future__ import annotations

import difflib
import itertools
import os
from collections.abc import Iterator

from tumble.physics.mjcf.document import Document, FileProblem
from tumble.physics.mjcf.reader import read_path
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.spec import Element
from tumble.physics.state.arguments import checked

_COMPARED = 5_000  # names of a folder that a missing one is compared with
_SHOWN = 60  # letters of a name in a message from which it is cut


def file_name(element: Element, attribute: str = "file") -> str:
    """The name of a file, without its folders where the settings say so; "" if none is written."""
    name = str(element.get(attribute) or "")
    return name.replace("\\", "/").rpartition("/")[2] if element.settings.strippath else name


def model_path(file: str) -> str:
    """The name of a file as the model keeps it: with slashes, without detours, as the reference writes it."""
    parts: list[str] = []
    for part in file.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] not in ("", ".."):
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def open_file(document: Document, element: Element, file: str, directory: str) -> bytes:
    """The contents of a file that an element names. directory: of such files, as `<compiler>` says (meshdir, texturedir).

    Names are relative to that folder, which is relative to the one of the element's own model file; backslashes are taken
    as slashes if there is no such name. Raises MjcfError, with the folder and the most similar name in it.
    """
    try:
        return document.fetch(places(element, file, directory))[1]
    except (FileProblem, ValueError) as problem:
        if "does not exist" not in str(problem):
            raise element.error(f'file "{file}" {problem}') from None
        if document.sealed:
            raise element.error(f'file "{file}" does not exist among the files that came with the model') from None
        instead = _instead(document, _folder(element, directory), _slashes(file))
        raise element.error(f'file "{file}" does not exist: {instead}') from None


def places(element: Element, file: str, directory: str) -> list[str]:
    """Candidate paths of a file that an element names, relative to the main file's folder."""
    roots = (_folder(element, directory), element.settings.folder)
    return [os.path.join(root, name) for root in dict.fromkeys(roots) for name in dict.fromkeys((file, _slashes(file)))]


def _folder(element: Element, directory: str) -> str:
    return os.path.join(element.settings.folder, _slashes(directory))


def _slashes(path: str) -> str:
    return path.replace("\\", "/")


def _instead(document: Document, directory: str, file: str) -> str:
    """Folders searched for a missing file, and the most similar name there."""
    sought = os.path.join(document.directory, directory, file)
    folder, name = os.path.dirname(sought) or ".", os.path.basename(sought)
    known = list(itertools.islice(document.assets, _COMPARED))
    if known:
        return f"it is not among the assets{_likeliest(name, known)}, nor in {folder}{_likeliest(name, _names(folder))}"
    if not os.path.isdir(folder):
        return f"there is no folder {folder}; see meshdir, texturedir and assetdir of <compiler>"
    names = _names(folder)
    return f"it is not in {folder}" + (_likeliest(name, names) or ", which is empty" * (not names))


def _names(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return [entry.name for entry in itertools.islice(entries, _COMPARED)]
    except OSError:
        return []


def _likeliest(name: str, names: list[str]) -> str:
    by_lower = {known.lower(): known for known in names}
    close = difflib.get_close_matches(name.lower()[:_SHOWN], list(by_lower), n=1)
    return f'; did you mean "{by_lower[close[0]]}"?' if close else ""


@checked
def mju_getXMLDependencies(filename: str) -> list[str]:
    """The paths of all files that a model file needs, itself the first: included files, attached models, meshes, textures, skins.

    A file that does not exist has the path where it is looked for first. Raises MjcfError for a file that is no model, and for
    included files and models that cannot be read.
    """
    document = read_path(filename)
    found = dict.fromkeys(document.all_sources())
    seen: set[int] = set()
    pending = [document]
    while pending:
        each = pending.pop()
        if id(each) not in seen:
            seen.add(id(each))
            found |= dict.fromkeys(os.path.normpath(os.path.join(document.directory, path)) for path in _assets(each))
            pending += each.models.values()
    return list(found)


def _assets(document: Document) -> Iterator[str]:
    """The files of assets that elements of a document name, as seen from the main file's folder."""
    for element, rule in walk(document.root):
        names = [a.name for a in rule.attributes.values() if a.kind == "file" and element.tag != "model"]
        directory = element.settings.texturedir if element.tag == "texture" else element.settings.meshdir
        for file in filter(None, (file_name(element, name) for name in names)):
            possible = places(element, file, directory)
            top = document.top if document.parents else document.directory
            yield next((path for path in possible if os.path.isfile(os.path.join(top, path))), possible[0])

"""All files that a model is made of."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tumble.physics.compiler.assets.files import file_name, places
from tumble.physics.mjcf.document import Document
from tumble.physics.mjcf.reader import read_path
from tumble.physics.mjcf.references import walk
from tumble.physics.state.arguments import checked


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

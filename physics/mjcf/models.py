"""<model> in <asset>: other models, of which <attach> takes parts. Each is read as if it were opened by itself.

A model without a name here has the name that its own file gives it. File names are relative to the main file's folder, or else to the folder of the file that names them, as those of includes.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from physics.mjcf.defaults import MAIN, DefaultClass
from physics.mjcf.document import Document, FileProblem
from physics.mjcf.spec import Element

# Models that attach one another in a chain; more is no model that a person wrote.
MAX_CHAIN = 50

Read = Callable[[bytes, Document], Document]


def read_models(document: Document, read: Read) -> None:
    """Fill `models` of a document; read: makes a document of the bytes of its file.

    Raises MjcfError for a file that is missing, is not a model, or attaches itself.
    """
    for section in document.root.all("asset"):
        for element in list(section.all("model")):
            model = _read_one(element, document, read)
            name = element.attributes.setdefault("name", model.root.get("model"))
            if name in document.models:
                element.warn(f'name "{name}" is that of a model before it: only the first is used')
                section.children = [child for child in section.children if child is not element]
            else:
                document.models[name] = model


def _read_one(element: Element, document: Document, read: Read) -> Document:
    name = element.attributes["file"]
    folder = os.path.relpath(os.path.dirname(element.where.file) or ".", document.directory or ".")
    try:
        path, data = document.fetch([name, os.path.normpath(os.path.join(folder, name))])
    except FileProblem as problem:
        raise element.error(f'file "{name}" {problem}') from None
    identity = path if path in document.assets else os.path.realpath(path)
    chain = document.parents or (os.path.realpath(document.file),)
    if identity in chain or identity == document.file:
        shown = " > ".join(os.path.basename(file) for file in (*chain, path))
        raise element.error(f'file "{name}" attaches itself: {shown}; remove one of these models')
    if len(chain) > MAX_CHAIN:
        raise element.error(f"is in a file that is attached too deeply; at most {MAX_CHAIN} models attach one another")
    if identity not in document.library:
        document.library[identity] = read(data, _document_of(path, identity, document, chain))
    return document.library[identity]


def _document_of(path: str, identity: str, parent: Document, chain: tuple[str, ...]) -> Document:
    """A document for the file at a path, still to be read, that shares with its parent what files were found."""
    held = path in parent.assets
    directory = os.path.dirname(path)
    top = parent.top if parent.parents else parent.directory
    return Document(
        path, directory, parent.assets, [] if held else [path], parent.texts, parent.files,
        folder=directory if held else _relative(directory, top), top=top, parents=(*chain, identity), library=parent.library,
    )  # fmt: skip


def _relative(directory: str, top: str) -> str:
    folder = os.path.relpath(directory or ".", top or ".")
    return "" if folder == "." else folder


def attached_classes(document: Document) -> dict[str, DefaultClass]:
    """The default classes that <attach> brings into a document, whose own elements may use them too, by their new names."""
    found: dict[str, DefaultClass] = {}
    pending = list(document.root.all("worldbody"))
    while pending:
        element = pending.pop()
        pending += element.children
        model = document.models.get(element.attributes.get("model", "")) if element.tag == "attach" else None
        if model is not None:
            prefix = element.attributes.get("prefix", "")
            found |= {prefix + name: made for name, made in model.classes.items() if prefix or name != MAIN}
    return found

"""<model> in <asset>: other models, of which <attach> takes parts. Each is read as if it were opened by itself.

A model without a name here has the name that its own file gives it. File names are relative to the main file's folder,
or else to the folder of the file that names them, as those of includes.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults
from tumble.physics.mjcf.defaults import DefaultClass
from tumble.physics.mjcf.document import Document, FileProblem
from tumble.physics.mjcf.include import candidates
from tumble.physics.mjcf.spec import Element

# Models that attach one another in a chain; more is no model that a person wrote.
MAX_CHAIN = 50

Read = Callable[[bytes, Document], Document]


def read_models(document: Document, read: Read) -> None:
    """Fill `models` of a document; read: makes a document of the bytes of its file.

    Raises MjcfError for a file that is missing, is not a model, or attaches itself.
    """
    for section in document.root.all("asset"):
        for element in list(section.all("model")):
            try:
                model = _read_one(element, document, read)
            except MjcfError as error:
                faults.report(error, hides=True)
                continue
            name = element.attributes.setdefault("name", model.root.get("model"))
            if name in document.models:
                element.warn(f'name "{name}" is that of a model before it: only the first is used')
                section.children = [child for child in section.children if child is not element]
            else:
                document.models[name] = model


def _read_one(element: Element, document: Document, read: Read) -> Document:
    name = element.attributes["file"]
    try:
        path, data = document.fetch(candidates(name, os.path.dirname(element.where.file), document))
    except FileProblem as problem:
        raise element.error(f'file "{name}" {problem}') from None
    identity = path if path in document.assets else document.identity(path)
    chain = document.parents or (document.identity(document.file),)
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
        sealed=parent.sealed, named=parent.named,
    )  # fmt: skip


def _relative(directory: str, top: str) -> str:
    folder = os.path.relpath(directory or ".", top or ".")
    return "" if folder == "." else folder


def attached_class(document: Document, wanted: str) -> DefaultClass | None:
    """A default class that <attach> brings into a document, whose own elements may use it too, by its new name."""
    seen: set[tuple[int, str]] = set()
    pending = [(document, wanted)]
    while pending:
        model, name = pending.pop()
        if (id(model), name) in seen:
            continue
        seen.add((id(model), name))
        if model is not document and name in model.classes:
            return model.classes[name]
        inner = [(model.models[of], name.removeprefix(prefix)) for of, prefix in _attached(model) if name.startswith(prefix)]
        pending += reversed(inner)
    return None


def _attached(document: Document) -> list[tuple[str, str]]:
    """The models that a document attaches, by their names, and with which prefixes."""
    found: dict[tuple[str, str], None] = {}
    pending = list(document.root.all("worldbody")) if document.models else []
    while pending:
        element = pending.pop()
        pending += reversed(element.children)
        if element.tag == "attach" and element.attributes.get("model") in document.models:
            found[element.attributes["model"], element.attributes.get("prefix", "")] = None
    return list(found)

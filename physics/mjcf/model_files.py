"""Other model files that a model names: <include> and <model>.

<include>: the elements of another file are put in its place, before anything is checked. As in the reference, a file is included
at most once in a model, and the included root vanishes with its attributes, regardless of its tag.

<model> in <asset>: another model, of which <attach> takes parts. Each is read as if it were opened by itself. A model without a
name here has the name that its own file gives it.

File names are relative to the main file's folder, or else to the folder of the file that names them.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults, notes
from tumble.physics.mjcf.defaults import DefaultClass
from tumble.physics.mjcf.document import Document, FileProblem
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.schema import INCLUDE
from tumble.physics.mjcf.source import MAX_ELEMENTS, Node, parse
from tumble.physics.mjcf.spec import Element, tree_of
from tumble.physics.mjcf.suggest import meant

# Files that include, or models that attach, one another in a chain; more is no model that a person wrote.
MAX_CHAIN = 50


def expand(root: Node, document: Document) -> None:
    """Replace every <include> below `root`; the paths read are added to the document's sources.

    Raises MjcfError for a file that is missing, included before, or includes itself, and for an <include> that is
    written wrongly.
    """
    _Expansion(document).run(root, tuple(document.sources))


class _Expansion:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._first: dict[str, Node] = {}
        self._budget = MAX_ELEMENTS

    def run(self, parent: Node, chain: tuple[str, ...]) -> None:
        """Expand below `parent`; `chain`: the paths of the files being included, outermost first."""
        pending = [(parent, chain)]
        while pending:
            node, files = pending.pop()
            children: list[Node] = []
            for child in node.children:
                if child.tag == "include":
                    children += self._if_read(child, files, pending)
                else:
                    children.append(child)
                    pending.append((child, files))
            node.children = children

    def _if_read(self, include: Node, chain: tuple[str, ...], pending: list[tuple[Node, tuple[str, ...]]]) -> list[Node]:
        """As `_included`; nothing for a file that cannot be read, which is reported. Raises MjcfError for too many elements."""
        try:
            return self._included(include, chain, pending)
        except MjcfError as error:
            if self._budget < 0:
                raise
            faults.report(error, hides=True)
            return []

    def _included(self, include: Node, chain: tuple[str, ...], pending: list[tuple[Node, tuple[str, ...]]]) -> list[Node]:
        """The elements that stand in the place of one <include>, its own includes expanded."""
        if len(chain) > MAX_CHAIN:
            raise include.error(f"is in a file that is included too deeply; at most {MAX_CHAIN} files include one another")
        path, data = self._read(include, chain)
        root = parse(data, path)
        self._document.contents[path] = data
        self._budget -= sum(1 for _ in tree_of(root))
        if self._budget < 0:
            raise include.error(f"makes the model too large; at most {MAX_ELEMENTS} elements are read")
        if not root.children:
            raise include.error(f'file "{include.attributes["file"]}" has no elements; at least one must be included')
        spliced: list[Node] = []
        for child in root.children:
            if child.tag == "include":
                spliced += self._if_read(child, (*chain, path), pending)
            else:
                spliced.append(child)
                pending.append((child, (*chain, path)))
        return spliced

    def _read(self, include: Node, chain: tuple[str, ...]) -> tuple[str, bytes]:
        name = _file_name(include)
        folder = os.path.dirname(chain[-1]) if chain else self._document.directory
        try:
            path, data = self._document.fetch(candidates(name, folder, self._document))
        except FileProblem as problem:
            raise include.error(f'file "{name}" {problem}') from None
        identity = self._document.identity(path)
        if identity in (self._document.identity(file) for file in chain):
            shown = " > ".join(os.path.basename(file) for file in (*chain, path))
            raise include.error(f'file "{name}" includes itself: {shown}; remove one of these includes')
        if identity in self._first:
            raise include.error(f'file "{name}" is already included at {self._first[identity].where}; it may be included once')
        self._first[identity] = include
        if path not in self._document.assets:
            self._document.sources.append(path)
        return path, data


def candidates(name: str, folder: str, document: Document) -> list[str]:
    """Paths where the model file of a name may be.

    Relative to the main file's folder, or else to `folder`, that of the file that names it; a backslash counts as a slash if
    there is no such file.
    """
    # Without a folder of the main file, names are what they are: the working directory has no part in it.
    beside = os.path.relpath(folder or ".", document.directory or ".") if document.directory else os.path.normpath(folder or ".")
    spelled = dict.fromkeys((name, name.replace("\\", "/")))
    return [path for one in spelled for path in (one, os.path.normpath(os.path.join(beside, one)))]


def take_beside(document: Document) -> None:
    """Let elements of included files find meshes and images beside these, where the main file's folder does not have them.

    As the reference does: not where paths are stripped, and there without the folders that <compiler> says.
    """
    for element, rule in walk(document.root):
        if element.where.file == document.file or element.tag == "model" or element.settings.strippath:
            continue
        folder = element.settings.texturedir if element.tag == "texture" else element.settings.meshdir
        for attribute in rule.attributes.values():
            name = element.attributes.get(attribute.name) if attribute.kind == "file" else None
            if name and not document.has(os.path.join(folder, name).replace("\\", "/")):
                path = os.path.normpath(os.path.join(os.path.dirname(element.where.file), name.replace("\\", "/")))
                path = path if document.sealed else os.path.abspath(path)
                if document.has(path):
                    document.files.setdefault(os.path.join(document.directory, folder, name), "")
                    element.attributes[attribute.name] = path


def _file_name(include: Node) -> str:
    for name in include.attributes:
        if name not in INCLUDE.attributes:
            notes.add(f'{include.where}: <include> has no attribute "{name}": it is ignored; {meant(name, INCLUDE.attributes)}')
    if include.children:
        raise include.error(f"holds <{include.children[0].tag}>; it holds nothing")
    name = include.attributes.get("file", "")
    if not name:
        raise include.error('needs the attribute file, as in <include file="scene.xml"/>')
    return name


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
    worlds = reversed([*document.root.all("worldbody")]) if document.models else ()
    for element in (element for world in worlds for element in tree_of(world)):
        if element.tag == "attach" and element.attributes.get("model") in document.models:
            found[element.attributes["model"], element.attributes.get("prefix", "")] = None
    return list(found)

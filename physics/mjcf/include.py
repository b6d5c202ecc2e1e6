"""<include>: put the elements of other files in its place, before anything is checked.

As the reference does: names of included files are relative to the main file's folder, or else to the folder of the file that
includes; a file is included at most once in a model; the included root vanishes with its attributes, regardless of its tag.
"""

from __future__ import annotations

import os

from tumble.physics.errors import MjcfError
from tumble.physics.mjcf import faults, notes
from tumble.physics.mjcf.document import Document, FileProblem
from tumble.physics.mjcf.references import walk
from tumble.physics.mjcf.schema import INCLUDE
from tumble.physics.mjcf.source import MAX_ELEMENTS, Node, parse
from tumble.physics.mjcf.suggest import meant

# Files that include one another in a chain; more is no model that a person wrote.
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
        self._budget -= _count(root)
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


def _count(root: Node) -> int:
    total, pending = 0, [root]
    while pending:
        node = pending.pop()
        total += 1
        pending += node.children
    return total

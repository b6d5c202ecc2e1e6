"""Rules that a file silences: for the model by a text in <custom>, for the model or one element by a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from tumble import physics
from tumble.app.doctor.case import OBJ, Examination
from tumble.app.doctor.finding import Finding
from tumble.physics.mjcf.source import parse

if TYPE_CHECKING:
    from tumble.app.editing.stiffness import ElementAt
    from tumble.physics.mjcf.source import Node
    from tumble.physics.state.model import Model

SILENCE = "doctor_silence"  # name of a <text> in <custom> that lists the ids of rules which the user does not want to hear
_COMMENT = re.compile(rb"<!--(.*?)-->", re.DOTALL)
_WORDS = re.compile(rb"\s*doctor:\s*silence\b(.*)", re.DOTALL)
_CLOSING = re.compile(rb"</|/>")
_SKIPPED = re.compile(rb"(?:\s|<!--.*?-->)*", re.DOTALL)


class TagPlace(Struct, frozen=True):
    """The tag of an element: a file and the byte where it begins."""

    file: str
    offset: int


class Silence(Struct, frozen=True):
    """model: ids of rules silenced for the whole model; elements: those of single elements, by their places."""

    model: frozenset[str]
    elements: Mapping[TagPlace, frozenset[str]]

    def covers(self, case: Examination, finding: Finding) -> bool:
        """True for a rule of the model, contacts that all have a silenced side, and a finding whose elements are all silenced."""
        if finding.rule in self.model:
            return True
        if finding.contacts:
            sides = ((self._at(case, (OBJ.mjOBJ_GEOM, geom), finding.rule) for geom in pair) for pair in finding.contacts)
            return bool(self.elements) and all(any(pair) for pair in sides)
        silent = [self._at(case, at, finding.rule) for at in finding.elements] if self.elements else []
        return any(silent) if finding.pair is not None else bool(silent) and all(silent)

    def _at(self, case: Examination, at: ElementAt, rule: str) -> bool:
        element = case.element(at)
        return element is not None and rule in self.elements.get(TagPlace(element.where.file, element.where.offset), ())


def silence_of(case: Examination) -> Silence:
    """Silenced rules of a model and of its file."""
    whole = set(silenced(case.model))
    elements: dict[TagPlace, frozenset[str]] = {}
    for file, text in _texts(case).items():
        for rules, places in _comments(text, file):
            if not places:
                whole |= rules
            for place in places:
                elements[place] = elements.get(place, frozenset()) | rules
    return Silence(frozenset(whole), elements)


def _texts(case: Examination) -> dict[str, bytes]:
    """Contents of all files with elements of the model, those of attached models too."""
    if case.document is None:
        return {}
    documents = [case.document, *case.document.library.values()]
    return {file: text for document in documents for file, text in document.contents.items()}


def silenced(model: Model) -> frozenset[str]:
    """Rules in `<custom><text name="doctor_silence" data="soft-contact sink"/></custom>`."""
    text = physics.mj_name2id(model, physics.mjtObj.mjOBJ_TEXT, SILENCE)
    if text < 0:
        return frozenset()
    start, size = int(model.text_adr[text]), int(model.text_size[text])
    return _ids(bytes(model.text_data[start : start + size]).split(b"\0")[0])


def _ids(words: bytes) -> frozenset[str]:
    return frozenset(words.decode("utf-8", "replace").replace(",", " ").split())


def _comments(text: bytes, file: str) -> Iterator[tuple[frozenset[str], list[TagPlace]]]:
    """Rules of each comment `<!-- doctor: silence sink -->`, and the elements it is for: none for the whole model.

    A comment outside the root or directly in it is for the model. Elsewhere it is for the element that it stands directly
    before, with all that is in that one, and for the element that it stands in.
    """
    found = [(match, words) for match in _COMMENT.finditer(text) if (words := _WORDS.fullmatch(match[1]))]
    if not found:
        return
    nodes = list(_walk(parse(text, file), ()))
    for match, words in found:
        earlier = [(node, above) for node, above in nodes if node.where.offset < match.start()]
        inside: tuple[Node, ...] = ()
        if earlier:
            last, above = earlier[-1]
            between = _COMMENT.sub(b"", text[last.where.offset : match.start()])
            inside = (*above, last)[: max(0, len(above) + 1 - len(_CLOSING.findall(between)))]
        places: list[TagPlace] = []
        if len(inside) > 1:
            skipped = _SKIPPED.match(text, match.end())
            next_tag = match.end() if skipped is None else skipped.end()
            following = [node for node, _ in nodes if node.where.offset == next_tag]
            within = [node for top in following for node, _ in _walk(top, ())]
            places = [TagPlace(node.where.file, node.where.offset) for node in (inside[-1], *within)]
        yield _ids(words[1]), places


def _walk(node: Node, above: tuple[Node, ...]) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """A node and all below it in the order of the text, each with those that it stands in, the outermost first."""
    yield node, above
    for child in node.children:
        yield from _walk(child, (*above, node))

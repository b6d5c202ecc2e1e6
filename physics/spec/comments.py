"""The comments of a file, by the element before which each stands."""

from __future__ import annotations

from xml.parsers import expat

from msgspec import Struct, field

from tumble.physics.mjcf.source import tolerate

Place = tuple[str, int, int]  # file, line, column


class Comments(Struct):
    """before: an element, by its place; inside: at the end of one."""

    before: dict[Place, list[str]] = field(default_factory=dict)
    inside: dict[Place, list[str]] = field(default_factory=dict)

    def read(self, file: str, data: bytes) -> None:
        """Add those of a file, as far as it can be read."""
        if b"<!--" in data:
            CommentReader(file, data, self).run()


class CommentReader:
    """One run over one file."""

    def __init__(self, file: str, data: bytes, found: Comments) -> None:
        self._file, self._data, self._found = file, data, found
        self._open: list[Place] = []
        self._waiting: list[str] = []
        self._parser = expat.ParserCreate(encoding="utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CommentHandler = self._comment

    def run(self) -> None:
        """Add what is found."""
        try:
            self._parser.Parse(tolerate(self._data), True)
        except expat.ExpatError:
            return  # the reader has mended what stands from here on; comments so far are kept

    def _comment(self, _: str) -> None:
        # From the file's own bytes, whose places are the same: what expat sees has blanks for what it would refuse.
        begin = self._parser.CurrentByteIndex + len("<!--")
        self._waiting.append(self._data[begin : self._data.find(b"-->", begin)].decode("utf-8", "replace"))

    def _start(self, tag: str, _: dict[str, str]) -> None:
        place = (self._file, self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
        self._open.append(place)
        if self._waiting and tag != "include":
            self._found.before[place] = self._waiting
            self._waiting = []

    def _end(self, tag: str) -> None:
        place = self._open.pop()
        if self._waiting and tag != "include":
            self._found.inside[place] = self._waiting
            self._waiting = []
